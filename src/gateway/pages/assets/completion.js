// Completion of @names, #hashtags and :emojis: while they are written. The keyboard stays in the text; the list is
// announced and chosen from as that of a combobox (WAI-ARIA 1.2), which a text of several lines must not be.

const completionPause = 150;
const begunWord = /(?:^|[\s(])([@#:][\p{L}\p{N}\p{M}_.@-]+)$/u;

function completing(text) {
  let list = null;
  let chosen = -1;
  let timer;
  let asked = '';

  function wordBefore() {
    if (text.selectionStart !== text.selectionEnd) return '';
    return begunWord.exec(text.value.slice(0, text.selectionStart))?.[1] ?? '';
  }

  function close() {
    clearTimeout(timer);
    asked = '';
    chosen = -1;
    list?.remove();
    list = null;
    text.removeAttribute('aria-controls');
    text.removeAttribute('aria-activedescendant');
  }

  function mark(index) {
    const options = list.children;
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = (index + options.length) % options.length;
    options[chosen].setAttribute('aria-selected', 'true');
    options[chosen].scrollIntoView({ block: 'nearest' });
    text.setAttribute('aria-activedescendant', options[chosen].id);
  }

  function take(option) {
    const end = text.selectionStart;
    const start = end - wordBefore().length;
    text.setRangeText(`${option.dataset.text} `, start, end, 'end');
    close();
    text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  async function ask(word) {
    const address = `/web/completions?word=${encodeURIComponent(word)}`;
    const response = await fetch(address, { redirect: 'error' }).catch(() => undefined);
    if (!response?.ok || asked !== word || wordBefore() !== word) return;
    const found = elementOf(await response.text());
    list?.remove();
    list = null;
    chosen = -1;
    text.removeAttribute('aria-activedescendant');
    const isOpen = found !== null && found.children.length > 0 && asked === word;
    text.removeAttribute('aria-controls');
    if (!isOpen) return;
    list = found;
    text.setAttribute('aria-controls', list.id);
    text.closest('label').after(list);
    mark(0);
    list.addEventListener('pointerdown', (event) => {
      const option = event.target.closest('[role="option"]');
      if (option === null) return;
      // The text keeps the keyboard.
      event.preventDefault();
      take(option);
    });
  }

  text.setAttribute('aria-autocomplete', 'list');
  text.setAttribute('aria-haspopup', 'listbox');
  text.addEventListener('input', () => {
    const word = wordBefore();
    if (word.length < 2) {
      close();
      return;
    }
    clearTimeout(timer);
    asked = word;
    timer = setTimeout(() => ask(word), completionPause);
  });
  text.addEventListener('blur', close);
  text.addEventListener('keydown', (event) => {
    if (list === null || event.isComposing) return;
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) mark(chosen + moves[event.key]);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      take(list.children[chosen]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

for (const text of document.querySelectorAll('form.compose textarea[name="status"]')) completing(text);
