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

// The machine, once a second. While nobody looks at the page, the server does not look at the machine.

const machine = document.querySelector('[data-machine]');
let machineSource;

function showMachine({ data }) {
  // Whoever scrolls a table or reads in it keeps the place.
  const places = [...machine.querySelectorAll('.scrolls')].map(({ scrollLeft }) => scrollLeft);
  const focused = [...machine.querySelectorAll('.scrolls')].indexOf(document.activeElement);
  machine.innerHTML = data;
  const tables = [...machine.querySelectorAll('.scrolls')];
  for (const [index, table] of tables.entries()) table.scrollLeft = places[index] ?? 0;
  tables[focused]?.focus({ preventScroll: true });
  document.documentElement.dataset.machine = 'on';
}

function watchMachine() {
  if (document.visibilityState === 'hidden') {
    machineSource?.close();
    machineSource = undefined;
  } else if (machineSource === undefined) {
    machineSource = new EventSource(machine.dataset.machine);
    machineSource.addEventListener('message', showMachine);
  }
}

if (machine !== null) {
  document.addEventListener('visibilitychange', watchMachine);
  watchMachine();
}
