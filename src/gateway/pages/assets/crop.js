// Choosing the part of a picture of a profile that is shown: by dragging it, or by sliders.

class Crop {
  constructor(input) {
    this.input = input;
    this.fieldset = input.closest('fieldset');
    this.place = this.fieldset.querySelector('.crop');
    this.canvas = this.place.querySelector('canvas');
    this.sliders = Object.fromEntries(
      [...this.place.querySelectorAll('input')].map((slider) => [slider.dataset.part, slider]),
    );
    input.addEventListener('change', () => this.choose(input.files[0]));
    this.place.addEventListener('input', () => this.draw());
    this.canvas.addEventListener('pointerdown', (event) => {
      if (!this.isMoving) this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) this.drag(event);
    });
  }

  /** What moves is sent as it is: a part of it would stand still. */
  async choose(file) {
    this.bitmap?.close();
    this.bitmap = file && (await createImageBitmap(file).catch(() => undefined));
    this.file = file;
    this.isMoving = file?.type === 'image/gif';
    this.place.hidden = this.bitmap === undefined;
    this.place.querySelector('.sliders').hidden = this.isMoving;
    this.fieldset.querySelector('img').hidden = this.bitmap !== undefined;
    const remove = this.fieldset.querySelector('input[type="checkbox"]');
    if (remove !== null && file) remove.checked = false;
    for (const [part, slider] of Object.entries(this.sliders)) slider.value = part === 'zoom' ? '1' : '0.5';
    if (this.bitmap !== undefined) this.draw();
  }

  /** Of the whole picture in the canvas, and how much of it lies outside. */
  size() {
    const { bitmap, canvas, sliders } = this;
    const cover = Math.max(canvas.width / bitmap.width, canvas.height / bitmap.height);
    const scale = cover * Number(sliders.zoom.value);
    const [width, height] = [bitmap.width * scale, bitmap.height * scale];
    return { width, height, outsideX: width - canvas.width, outsideY: height - canvas.height };
  }

  draw() {
    const { canvas, bitmap, sliders } = this;
    const { width, height, outsideX, outsideY } = this.size();
    sliders.across.disabled = outsideX < 1;
    sliders.down.disabled = outsideY < 1;
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, canvas.width, canvas.height);
    const [x, y] = [-outsideX * Number(sliders.across.value), -outsideY * Number(sliders.down.value)];
    context.drawImage(bitmap, x, y, width, height);
  }

  drag({ movementX, movementY }) {
    const { canvas, sliders } = this;
    const { outsideX, outsideY } = this.size();
    const pixels = canvas.width / canvas.clientWidth;
    const move = (slider, movement, outside) => {
      if (outside >= 1) slider.value = String(Number(slider.value) - (movement * pixels) / outside);
    };
    move(sliders.across, movementX, outsideX);
    move(sliders.down, movementY, outsideY);
    this.draw();
  }

  get isCuttable() {
    return this.bitmap !== undefined && !this.isMoving;
  }

  /** Puts the part that is shown in the place of the file. */
  async cut() {
    const type = this.file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
    const blob = await new Promise((resolve) => this.canvas.toBlob(resolve, type, 0.92));
    if (blob === null) return;
    const transfer = new DataTransfer();
    transfer.items.add(new File([blob], this.file.name, { type }));
    this.input.files = transfer.files;
  }
}

for (const form of document.querySelectorAll('form.pictures')) {
  const crops = [...form.querySelectorAll('input[type="file"]')].map((input) => new Crop(input));
  let isCut = false;
  form.addEventListener('submit', async (event) => {
    const cuttable = crops.filter((crop) => crop.isCuttable);
    if (isCut || cuttable.length === 0) return;
    event.preventDefault();
    await Promise.all(cuttable.map((crop) => crop.cut()));
    isCut = true;
    form.requestSubmit();
  });
  // A page that is shown again after going back.
  window.addEventListener('pageshow', () => {
    isCut = false;
  });
}
