// Single keys of the pages of reports, besides those of all pages, whose switch counts for these too.

const keyHelp = document.querySelector('[data-keys]');

function pressedKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (localStorage.getItem('shortcuts-off') !== null || document.querySelector('dialog[open]') !== null) return;
  if (event.target.closest('input, textarea, select, details.menu[open]') !== null) return;
  const entry = event.key === 'Enter' && event.target.matches('.staffed > .entry') ? event.target : null;
  const wanted = entry?.querySelector('a.what') ?? document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (wanted === null) return;
  event.preventDefault();
  if (wanted.matches('textarea, input')) wanted.focus();
  else wanted.click();
}

if (keyHelp !== null) {
  document.addEventListener('keydown', pressedKey);
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
