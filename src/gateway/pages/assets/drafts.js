// What somebody has begun to write stays in this browser until the server has it, with whom it was for. Pictures are not kept.

const draftsKey = 'drafts';
const draftsMax = 20;
const sentMark = '#sent-';

function draftsSoFar() {
  try {
    const kept = JSON.parse(localStorage.getItem(draftsKey) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    // Storage is switched off, or holds something else: there is nothing to go on with.
    return {};
  }
}

/** `draft` undefined: there is nothing to keep. */
function keepDraft(name, draft) {
  const { [name]: _before, ...others } = draftsSoFar();
  const all = Object.entries(draft === undefined ? others : { ...others, [name]: draft }).slice(-draftsMax);
  try {
    if (all.length === 0) localStorage.removeItem(draftsKey);
    else localStorage.setItem(draftsKey, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Storage is full or switched off: nothing is kept.
  }
}

function draftName({ elements }) {
  const about = (field, kind) => elements[field]?.value && `${kind}-${elements[field].value}`;
  return about('in_reply_to_id', 'reply') || about('quoted_status_id', 'quote') || 'post';
}

/** The page with its form: not the answer to another form. */
function pathOfDraft({ elements }) {
  if (!/^\/web\/statuses(?:\/\d+\/redraft)?$/.test(location.pathname)) return location.pathname;
  const quoted = elements.quoted_status_id?.value;
  return quoted ? `/web/statuses/${quoted}/quote` : elements.return_to.value;
}

function watchDraft(form) {
  const { status: text, spoiler_text: warning, visibility } = form.elements;
  const notice = form.querySelector('.draft');
  const name = draftName(form);
  // What was a post until now is new to this browser.
  const isOnlyHere = form.dataset.onlyHere !== undefined;
  const given = isOnlyHere ? '' : text.value;
  const draft = isOnlyHere ? undefined : draftsSoFar()[name];
  /** Shows its room, and keeps nothing. */
  const showRoom = () => form.dispatchEvent(new CustomEvent('input', { detail: 'shown' }));
  // What was shared from elsewhere, or refused, is newer.
  if (typeof draft?.text === 'string' && (name !== 'post' || given === '')) {
    text.value = draft.text;
    warning.value = draft.warning;
    visibility.value = draft.visibility;
    if (draft.warning !== '') warning.closest('details').open = true;
    notice.hidden = false;
    showRoom();
  }
  const keep = () => {
    const isEmpty = (text.value.trim() === '' || text.value === given) && warning.value === '';
    const path = pathOfDraft(form);
    const written = { text: text.value, warning: warning.value, visibility: visibility.value, path };
    keepDraft(name, isEmpty ? undefined : written);
  };
  form.addEventListener('input', ({ detail }) => {
    if (detail !== 'shown') keep();
  });
  if (isOnlyHere) keep();
  form.elements.draft.value = name;
  notice.querySelector('button').addEventListener('click', () => {
    keepDraft(name, undefined);
    text.value = given;
    warning.value = '';
    notice.hidden = true;
    showRoom();
    text.focus();
  });
}

// The server has it: it says so in the address.
if (location.hash.startsWith(sentMark)) {
  keepDraft(location.hash.slice(sentMark.length), undefined);
  history.replaceState(history.state, '', location.pathname + location.search);
}
// Whoever signed out leaves nothing behind.
if (!document.body.classList.contains('member'))
  for (const name of Object.keys(draftsSoFar())) keepDraft(name, undefined);

for (const form of document.querySelectorAll('form.compose')) if (form.elements.draft) watchDraft(form);

// The page of scheduled posts lists them.
const draftList = document.getElementById('drafts');
const listedDrafts = Object.entries(draftsSoFar());
if (draftList !== null && listedDrafts.length > 0) {
  const row = draftList.querySelector('template').content.firstElementChild;
  draftList.querySelector('ul').append(
    ...listedDrafts.map(([name, { text, warning, path }]) => {
      const shown = row.cloneNode(true);
      const link = shown.querySelector('a');
      link.textContent = warning || text.trim() || '…';
      link.href = `${path}#${name.startsWith('reply-') ? 'reply' : 'compose'}`;
      shown.querySelector('button').addEventListener('click', () => {
        keepDraft(name, undefined);
        shown.remove();
        draftList.hidden = Object.keys(draftsSoFar()).length === 0;
      });
      return shown;
    }),
  );
  draftList.hidden = false;
}
