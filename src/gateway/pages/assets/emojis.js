// The list of emojis: opened below its button, searched by name, and walked through with the arrow keys.

const emojiFields = 'textarea[name="status"], input[name="spoiler_text"], input[name="poll_option"]';

function choosingEmojis(opener) {
  const { form } = opener;
  let text = form.querySelector('textarea[name="status"], input[name="reaction"]');
  let list = null;

  function shownButtons() {
    return [...list.querySelectorAll('button')].filter((one) => one.offsetParent !== null);
  }

  function close() {
    list?.remove();
    list = null;
    opener.setAttribute('aria-expanded', 'false');
  }

  function search(words) {
    const wanted = words.toLocaleLowerCase(language);
    for (const group of list.querySelectorAll('section')) {
      const buttons = [...group.querySelectorAll('button')];
      for (const one of buttons) one.hidden = !one.title.toLocaleLowerCase(language).includes(wanted);
      group.hidden = buttons.every((one) => one.hidden);
    }
    const none = list.querySelector('[data-none]');
    none.textContent = shownButtons().length === 0 ? none.dataset.none : '';
    list.querySelector('button[tabindex="0"]')?.setAttribute('tabindex', '-1');
    shownButtons()[0]?.setAttribute('tabindex', '0');
  }

  function go(button) {
    if (button === undefined) return;
    list.querySelector('button[tabindex="0"]')?.setAttribute('tabindex', '-1');
    button.setAttribute('tabindex', '0');
    button.focus();
  }

  /** The nearest one in the next row, above or below. */
  function inRow(from, step) {
    const here = from.getBoundingClientRect();
    const others = shownButtons().map((one) => [one, one.getBoundingClientRect()]);
    const beyond = others.filter(([, { top }]) => (step > 0 ? top > here.top + 1 : top < here.top - 1));
    const distance = ([, { top, left }]) => [Math.abs(top - here.top), Math.abs(left - here.left)];
    return beyond
      .map((one) => [one[0], ...distance(one)])
      .sort((one, other) => one[1] - other[1] || one[2] - other[2])[0]?.[0];
  }

  function move(event) {
    const button = event.target.closest('button');
    const mirrored = document.documentElement.dir === 'rtl' ? -1 : 1;
    const steps = { ArrowRight: mirrored, ArrowLeft: -mirrored };
    const all = shownButtons();
    if (button === null && event.key === 'ArrowDown') go(all[0]);
    else if (button === null && event.key === 'Enter') all[0]?.click();
    else if (button !== null && event.key in steps) go(all[all.indexOf(button) + steps[event.key]]);
    else if (button !== null && event.key === 'ArrowDown') go(inRow(button, 1));
    else if (button !== null && event.key === 'ArrowUp') go(inRow(button, -1) ?? list.querySelector('input'));
    else return;
    event.preventDefault();
  }

  function write(emoji) {
    const [start, end] = [text.selectionStart, text.selectionEnd];
    // The name of an emoji of the server stands between blanks.
    const before = emoji.startsWith(':') && /\S$/.test(text.value.slice(0, start)) ? ' ' : '';
    const after = emoji.startsWith(':') ? ' ' : '';
    text.setRangeText(`${before}${emoji}${after}`, start, end, 'end');
    text.focus();
    text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function take({ dataset }) {
    close();
    if (opener.dataset.emojis === 'sent') {
      text.value = dataset.text;
      form.requestSubmit();
    } else write(dataset.text);
  }

  async function open() {
    const response = await fetch('/web/emojis', { redirect: 'error' }).catch(() => undefined);
    if (!response?.ok) {
      await tellFailure(response);
      return;
    }
    list = elementOf(await response.text());
    opener.setAttribute('aria-expanded', 'true');
    opener.parentElement.after(list);
    search('');
    const field = list.querySelector('input');
    field.focus();
    field.addEventListener('input', () => search(field.value));
    list.addEventListener('keydown', move);
    list.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button !== null) take(button);
    });
  }

  opener.hidden = false;
  opener.addEventListener('click', () => {
    if (list === null) open();
    else close();
  });
  form.addEventListener('focusin', ({ target }) => {
    if (target.matches(emojiFields)) text = target;
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list === null) return;
    event.stopPropagation();
    close();
    opener.focus();
  });
}

for (const opener of document.querySelectorAll('button[data-emojis]')) choosingEmojis(opener);
