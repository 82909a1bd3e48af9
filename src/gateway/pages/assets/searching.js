// Recent searches are proposed where one searches. They stay in this browser, until its user signs out.

const recentSearches = 'recent-searches';
const recentSearchesMax = 8;

function searchesSoFar() {
  try {
    const kept = JSON.parse(localStorage.getItem(recentSearches) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    // Storage is switched off, or holds something else: there is nothing to propose.
    return [];
  }
}

function keepSearches(searches) {
  try {
    if (searches.length === 0) localStorage.removeItem(recentSearches);
    else localStorage.setItem(recentSearches, JSON.stringify(searches));
  } catch {
    // Storage is full or switched off: nothing is kept.
  }
}

function proposalsFor(searches) {
  const proposals = document.createElement('datalist');
  proposals.id = recentSearches;
  proposals.append(
    ...searches.map((one) => {
      const option = document.createElement('option');
      option.value = one;
      return option;
    }),
  );
  return proposals;
}

// Days are meant as the clocks of this browser show them.
const namesDay = /(?:^|[\s-])(?:before|after|during):/i;

function zoneField() {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'zone';
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  return field;
}

const searches = searchesSoFar();
const searchFields = document.querySelectorAll('form.find input[name="handle"]');
if (searches.length > 0 && searchFields.length > 0) document.body.append(proposalsFor(searches));

for (const field of searchFields) {
  if (searches.length > 0) field.setAttribute('list', recentSearches);
  field.form.addEventListener('submit', () => {
    const words = field.value.trim();
    const others = searchesSoFar().filter((one) => one !== words);
    if (namesDay.test(words)) field.form.append(zoneField());
    if (words !== '') keepSearches([words, ...others].slice(0, recentSearchesMax));
  });
}

// The page of the search lists them before anything is asked for.
const listed = document.getElementById('recent');
if (listed !== null && searches.length > 0) {
  listed.querySelector('ul').append(
    ...searches.map((one) => {
      const link = document.createElement('a');
      link.href = `?handle=${encodeURIComponent(one)}`;
      link.dir = 'auto';
      link.textContent = one;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  listed.querySelector('button').addEventListener('click', () => {
    keepSearches([]);
    listed.hidden = true;
  });
  listed.hidden = false;
}

// Whoever signed out leaves nothing behind.
if (!document.body.classList.contains('member')) keepSearches([]);
