// Single keys on the pages of staff. Who does not want them switches them off, in this browser.

const keyHelp = document.querySelector('[data-keys]');

function focusEntry(step) {
  const links = [...document.querySelectorAll('.staffed .what')];
  const present = links.indexOf(document.activeElement);
  links[present === -1 && step < 0 ? links.length - 1 : present + step]?.focus();
}

function pressedKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest('input, textarea, select, [contenteditable]') !== null) return;
  if (event.key === 'j' || event.key === 'k') {
    focusEntry(event.key === 'j' ? 1 : -1);
    return;
  }
  const wanted = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (wanted === null) return;
  event.preventDefault();
  if (wanted.matches('textarea, input')) wanted.focus();
  else wanted.click();
}

if (keyHelp !== null) {
  const choice = keyHelp.querySelector('input');
  choice.checked = localStorage.getItem('keys') !== 'off';
  choice.addEventListener('change', () => localStorage.setItem('keys', choice.checked ? 'on' : 'off'));
  document.addEventListener('keydown', (event) => {
    if (choice.checked) pressedKey(event);
  });
  keyHelp.hidden = false;
}
