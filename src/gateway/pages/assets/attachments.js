// Attaching files where a post is written: by the button, dropped or pasted.

const pollMilliseconds = 2_000;

/** Sends one file; resolves with the status and the text of the answer, 0 where there is none. */
function upload(form, file, tell) {
  return new Promise((resolve) => {
    const body = new FormData();
    body.set('form_token', form.elements.form_token.value);
    body.set('media', file);
    const request = new XMLHttpRequest();
    request.upload.addEventListener('progress', ({ loaded, total }) => tell(total === 0 ? 0 : loaded / total));
    request.addEventListener('loadend', () => resolve({ status: request.status, text: request.responseText }));
    request.open('POST', '/web/media');
    request.send(body);
  });
}

/** At once, before anything is sent. What the browser cannot draw stays empty. */
async function drawThumbnail(canvas, file) {
  if (!file.type.startsWith('image/')) return;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return;
  const scale = Math.min(canvas.width / bitmap.width, canvas.height / bitmap.height);
  [canvas.width, canvas.height] = [bitmap.width * scale, bitmap.height * scale].map(Math.ceil);
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
}

class Attachments {
  constructor(form) {
    this.form = form;
    this.place = form.querySelector('.attachments');
    this.items = this.place.querySelector('.attached');
    this.problem = this.place.querySelector('#media-problem');
    this.button = form.querySelector('button.send');
    const chooser = form.querySelector('input[type="file"]');
    chooser.closest('details').addEventListener('click', (event) => {
      if (!event.target.closest('summary')) return;
      event.preventDefault();
      chooser.click();
    });
    chooser.addEventListener('change', () => {
      this.add(chooser.files);
      chooser.value = '';
    });
    this.listen();
    for (const item of this.items.children) this.watch(item);
  }

  listen() {
    const { form, items } = this;
    form.addEventListener('paste', (event) => this.take(event, event.clipboardData));
    form.addEventListener('dragover', (event) => {
      if (![...event.dataTransfer.types].includes('Files') && this.dragged === undefined) return;
      event.preventDefault();
      form.classList.toggle('drop', this.dragged === undefined);
    });
    form.addEventListener('dragleave', (event) => {
      if (!form.contains(event.relatedTarget)) form.classList.remove('drop');
    });
    form.addEventListener('drop', (event) => {
      form.classList.remove('drop');
      this.take(event, event.dataTransfer);
    });
    items.addEventListener('click', (event) => this.press(event));
    items.addEventListener('keydown', (event) => this.move(event));
    items.addEventListener('dragstart', (event) => {
      this.dragged = event.target.closest('li');
    });
    items.addEventListener('dragover', (event) => this.reorder(event.target.closest?.('li')));
    items.addEventListener('dragend', () => {
      this.dragged = undefined;
    });
  }

  take(event, transfer) {
    if (!transfer?.files.length) return;
    event.preventDefault();
    this.add(transfer.files);
  }

  add(files) {
    this.tell('');
    const room = Number(this.place.dataset.filesMax) - this.items.children.length;
    const chosen = [...files];
    if (chosen.length > room) this.tell(this.place.dataset.tooMany);
    for (const file of chosen.slice(0, Math.max(0, room))) this.send(file);
  }

  async send(file) {
    const item = this.place.querySelector('template').content.firstElementChild.cloneNode(true);
    const label = item.querySelector('p');
    label.textContent = say(label.dataset.sentence, { name: file.name });
    this.items.append(item);
    this.wait();
    drawThumbnail(item.querySelector('canvas'), file);
    const progress = item.querySelector('progress');
    const { status, text } = await upload(this.form, file, (part) => {
      progress.value = part;
    });
    const fresh = status === 200 ? elementOf(text) : null;
    if (fresh === null) {
      item.remove();
      this.tell(this.sentence(status, text, file));
    } else {
      item.replaceWith(fresh);
      this.watch(fresh);
      if (document.activeElement === document.body) fresh.querySelector('textarea').focus();
    }
    this.wait();
  }

  /** A refusal is a sentence; any other answer is a page. */
  sentence(status, text, { name }) {
    if (status === 422 && !text.startsWith('<')) return text;
    const { tooLarge, failed } = this.place.dataset;
    return say(status === 413 ? tooLarge : failed, { name });
  }

  tell(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = sentence === '';
  }

  /** Nothing is posted before everything has arrived. */
  wait() {
    this.form.dataset.waits = String(this.items.querySelector('.pending') !== null);
    this.form.dispatchEvent(new Event('input'));
  }

  /** Asks again as long as it is being processed; what was written meanwhile stays. */
  watch(item) {
    item.draggable = true;
    if (item.dataset.processing === undefined) return;
    setTimeout(async () => {
      if (!item.isConnected) return;
      const answer = await fetch(item.dataset.processing).catch(() => undefined);
      if (answer?.status === 422) {
        item.remove();
        this.tell(await answer.text());
        return;
      }
      const fresh = answer?.ok ? elementOf(await answer.text()) : null;
      if (fresh === null || fresh.dataset.processing !== undefined) {
        this.watch(item);
        return;
      }
      const [before, after] = [item, fresh].map((one) => one.querySelector('textarea'));
      after.value = before.value;
      const hadFocus = document.activeElement === before;
      item.replaceWith(fresh);
      if (hadFocus) after.focus();
      this.watch(fresh);
    }, pollMilliseconds);
  }

  press(event) {
    const item = event.target.closest('li');
    const [act] = (event.target.closest('button[name="media_act"]')?.value ?? '').split(':');
    if (event.target.matches('input[type="image"]')) {
      event.preventDefault();
      const { offsetX, offsetY } = event;
      const { clientWidth, clientHeight } = event.target;
      // Pressed by a key it has no place.
      if (event.detail > 0) this.point(item, (2 * offsetX) / clientWidth - 1, 1 - (2 * offsetY) / clientHeight);
      return;
    }
    if (act === '') return;
    event.preventDefault();
    if (act === 'earlier') item.previousElementSibling?.before(item);
    if (act === 'later') item.nextElementSibling?.after(item);
    if (act === 'remove') {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      item.remove();
      (next?.querySelector('textarea') ?? this.form.querySelector('textarea')).focus();
    } else {
      event.target.closest('button').focus();
    }
  }

  /** The arrow keys move the point of the picture that has the focus. */
  move(event) {
    const steps = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const step = steps[event.key];
    if (step === undefined || !event.target.matches('input[type="image"]')) return;
    event.preventDefault();
    const item = event.target.closest('li');
    const [x, y] = item.querySelector('input[name^="focus_"]').value.split(',').map(Number);
    this.point(item, x + step[0], y + step[1]);
  }

  point(item, givenX, givenY) {
    const [x, y] = [givenX, givenY].map((one) => Math.round(100 * Math.max(-1, Math.min(1, one))) / 100);
    item.querySelector('input[name^="focus_"]').value = `${x},${y}`;
    const { style } = item.querySelector('.point');
    style.setProperty('--x', `${50 + 50 * x}%`);
    style.setProperty('--y', `${50 - 50 * y}%`);
  }

  reorder(over) {
    const { dragged } = this;
    if (dragged === undefined || !over || over === dragged) return;
    const isBehind = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBehind) over.after(dragged);
    else over.before(dragged);
  }
}

for (const form of document.querySelectorAll('form.compose')) new Attachments(form);
