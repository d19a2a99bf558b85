// @ts-check
/** What the page does beside being read: the way in, theme, keys, news. Everything else works without it. */

const REST_MS = 1000
const body = document.body

enter()
theme()
keys()
news()
countdown()

/** The address holds the token or a one-time code behind `#`: it is sent once and leaves the address bar. */
function enter() {
  const found = /^#(?:token|code)=([\w-]{16,})$/.exec(location.hash)
  if (!found) return
  history.replaceState(null, '', location.pathname + location.search)
  const form = document.getElementById('enter')
  const word = document.getElementById('word')
  if (form instanceof HTMLFormElement && word instanceof HTMLInputElement) {
    word.value = found[1] ?? ''
    form.submit()
  }
}

function theme() {
  const button = document.getElementById('theme')
  const root = document.documentElement
  if (!button) return
  const show = () => {
    const word = button.querySelector('span')
    if (word) word.textContent = root.dataset['theme'] ?? 'auto'
  }
  button.hidden = false
  button.addEventListener('click', () => {
    const next = { auto: 'dark', dark: 'light', light: 'auto' }[root.dataset['theme'] ?? 'auto'] ?? 'auto'
    root.dataset['theme'] = next
    document.cookie = `usher-theme=${next}; path=/; max-age=31536000; samesite=strict`
    show()
  })
  show()
}

/** Single keys, which can be switched off. */
function keys() {
  const on = document.getElementById('keys-on')
  if (!(on instanceof HTMLInputElement)) return
  on.checked = localStorage.getItem('usher-keys') !== 'off'
  on.addEventListener('change', () => localStorage.setItem('usher-keys', on.checked ? 'on' : 'off'))
  /** @type {Record<string, () => void>} */
  const acts = {
    '/': () => document.getElementById('f-text')?.focus(),
    j: () => step(1),
    k: () => step(-1),
    p: () => document.getElementById('live')?.click(),
    u: () => { location.href = '/unexplained' },
  }
  document.addEventListener('keydown', event => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement
    if (!on.checked || typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(acts, event.key)) return
    event.preventDefault()
    acts[event.key]?.()
  })
}

/** @param {1 | -1} by */
function step(by) {
  const lines = [...document.querySelectorAll('a.line')]
  const at = lines.findIndex(line => line === document.activeElement)
  const next = lines[at < 0 ? (by > 0 ? 0 : lines.length - 1) : at + by]
  if (next instanceof HTMLElement) { next.focus(); next.scrollIntoView({ block: 'nearest' }) }
}

/** Looks the page up anew when rows came, and says how many; while paused it only counts. */
function news() {
  const button = document.getElementById('live')
  if (!(button instanceof HTMLButtonElement)) return
  const seq = body.dataset['seq']
  if (seq === undefined) return
  let paused = false
  let waiting = 0
  let due = false
  let busy = false
  let last = 0
  const show = () => {
    button.textContent = paused ? `Paused${waiting > 0 ? `, ${waiting} new` : ''}` : 'Live'
    button.setAttribute('aria-pressed', String(!paused))
  }
  const look = async () => {
    if (busy || paused || document.hidden || !due) return
    busy = true
    due = false
    try {
      // A busy log would have the page read itself anew all the time.
      await new Promise(done => setTimeout(done, Math.max(0, last + REST_MS - Date.now())))
      const response = await fetch(location.href, { headers: { accept: 'text/html' } })
      if (response.ok) { put(new DOMParser().parseFromString(await response.text(), 'text/html')); say(waiting); waiting = 0 }
      else tell('The page is no longer open: load it again.')
    } catch {
      due = true
      tell('Usher does not answer; trying again.')
    } finally {
      last = Date.now()
      busy = false
      if (due) setTimeout(look, REST_MS)
    }
  }
  button.hidden = false
  button.addEventListener('click', () => { paused = !paused; show(); tell(paused ? 'Paused.' : 'Live again.'); void look() })
  document.addEventListener('visibilitychange', () => { void look() })
  const stream = new EventSource(`/live?after=${encodeURIComponent(seq)}`)
  stream.addEventListener('news', event => {
    waiting += Number(JSON.parse(event.data).entries)
    due = true
    show()
    void look()
  })
  // A browser tries again by itself, unless the server answered and said no: it was restarted, or has too many pages open.
  stream.addEventListener('error', () => {
    if (stream.readyState !== EventSource.CLOSED) return
    button.disabled = true
    button.textContent = 'Not live'
    tell('This page hears no news any more: load it again.')
  })
  show()
}

/** @param {number} lines */
function say(lines) {
  const at = new Date().toLocaleTimeString([], { hour12: false })
  tell(lines > 0 ? `${lines} new ${lines === 1 ? 'line' : 'lines'}, ${at}.` : `Brought up to date, ${at}.`)
}

/** @param {string} words */
function tell(words) {
  const place = document.getElementById('news')
  if (place) place.textContent = words
}

/** Puts the changed parts in place; what is typed, focused or folded open stays. @param {Document} fresh */
function put(fresh) {
  for (const next of fresh.querySelectorAll('[data-live]')) {
    const old = document.getElementById(next.id)
    if (!old || old.innerHTML === next.innerHTML || typedIn(old)) continue
    const focused = old.contains(document.activeElement) ? keyOf(document.activeElement) : undefined
    const open = new Set([...old.querySelectorAll('details[open]')].map(one => one.id))
    const known = new Set([...old.querySelectorAll('a.line')].map(keyOf))
    old.replaceChildren(...next.childNodes)
    for (const one of old.querySelectorAll('details')) if (open.has(one.id)) one.open = true
    for (const line of old.querySelectorAll('a.line')) {
      if (known.size > 0 && !known.has(keyOf(line))) line.closest('tr')?.classList.add('new')
      if (focused !== undefined && keyOf(line) === focused && line instanceof HTMLElement) line.focus()
    }
  }
}

/** @param {Element} place */
function typedIn(place) {
  return [...place.querySelectorAll('input:not([type=hidden])')].some(field => field === document.activeElement || (field instanceof HTMLInputElement && field.value !== field.defaultValue))
}

/** @param {Element | null} line */
function keyOf(line) {
  return line?.getAttribute('href') ?? undefined
}

/** Seconds until a card expires. */
function countdown() {
  const show = () => {
    for (const place of document.querySelectorAll('[data-expires]')) {
      const left = Math.max(0, Math.round((Number(place.getAttribute('data-expires')) - Date.now()) / 1000))
      place.textContent = String(left)
    }
  }
  setInterval(show, 1000)
}
