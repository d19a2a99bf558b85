/** What every page has: head, skip link, navigation, the owner's stop button, the place where news are said. */
import { count, plural } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'

export type Place = 'today' | 'unexplained' | 'approvals' | 'routes' | 'contracts' | 'event' | 'login'

/** What a form needs: the session's word, and whether a passphrase has to be typed. */
export interface Acting { readonly csrf: string, readonly secret: 'set' | 'none' }

export interface Frame {
  readonly title: string
  readonly place: Place
  /** `dark`, `light`, or what the system says. */
  readonly theme: string | undefined
  /** Undefined: nothing can be done here. */
  readonly acting: Acting | undefined
  readonly waiting: number
  readonly halted: { readonly since: string, readonly who: string, readonly why: string } | undefined
  /** The newest row that the page shows: news come after it. Undefined: the page does not change by itself. */
  readonly seq: number | undefined
  /** What the last act came to. */
  readonly said?: { readonly good: boolean, readonly text: string }
}

const LINKS: readonly (readonly [Place, string, string])[] = [['today', '/', 'Call log'], ['unexplained', '/unexplained', 'Unexplained'], ['approvals', '/approvals', 'Approvals'], ['routes', '/routes', 'Routes'], ['contracts', '/contracts', 'Contracts']]

export function page(frame: Frame, body: Html): string {
  return `<!doctype html>\n${html`<html lang="en" data-theme="${frame.theme ?? 'auto'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${frame.title} - Usher</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/console.css">
<script src="/static/console.js" type="module"></script>
</head>
<body data-place="${frame.place}"${frame.seq === undefined ? '' : html` data-seq="${frame.seq}"`}>
<a class="skip" href="#main">Skip to the content</a>
${frame.place === 'login' ? NOTHING : header(frame)}
<main id="main" tabindex="-1">
<h1>${frame.title}</h1>
${frame.said ? html`<p class="said ${frame.said.good ? 'good' : 'bad'}" role="${frame.said.good ? 'status' : 'alert'}">${frame.said.good ? '✓' : '✖'} ${frame.said.text}</p>` : NOTHING}
${body}
</main>
${frame.place === 'login' ? NOTHING : footer()}
</body>
</html>
`.text}`
}

function header(frame: Frame): Html {
  return html`<header>
<div class="bar"><p class="brand"><svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16"><path d="M3 1h10v14H3z M10 8h1.5" fill="none" stroke="currentColor" stroke-width="1.6"/></svg> Usher</p>
<nav aria-label="Pages"><ul>
${LINKS.map(([place, path, word]) => html`<li><a href="${path}"${place === frame.place ? html` aria-current="page"` : ''}>${word}${place === 'approvals' && frame.waiting > 0 ? html` <span class="badge">${count(frame.waiting)}<span class="hidden"> waiting</span></span>` : ''}</a></li>
`)}</ul></nav>
<div class="tools">
${frame.seq === undefined ? NOTHING : html`<button type="button" id="live" hidden aria-pressed="true">Live</button>`}
<button type="button" id="theme" hidden>Theme: <span>auto</span></button>
${frame.acting && !frame.halted ? html`<form method="post" action="/act/stop" class="stop">${word(frame.acting)}<button type="submit" class="danger"><span aria-hidden="true">■</span> Stop all</button></form>` : NOTHING}
</div></div>
<p id="news" role="status" aria-live="polite"></p>
${frame.halted ? halted(frame.halted, frame.acting) : NOTHING}
${frame.acting?.secret === 'none' ? html`<p class="warning"><span aria-hidden="true">▲</span> No passphrase is set: anyone who runs as this user can approve. <code>usher passphrase</code> sets one.</p>` : NOTHING}
</header>`
}

function halted(why: NonNullable<Frame['halted']>, acting: Acting | undefined): Html {
  return html`<section class="halted" aria-label="Stopped">
<p><strong><span aria-hidden="true">■</span> Stopped.</strong> Nothing is called by itself since ${why.since}, by ${why.who}${why.why === '' ? '' : `: ${why.why}`}.</p>
${acting === undefined ? NOTHING : html`<form method="post" action="/act/resume">${word(acting)}${passphrase('resume-secret', acting)}<button type="submit">Resume</button></form>`}
</section>`
}

export const word = ({ csrf }: Acting): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

/** Nothing where none is set: the page says so above. @param id of the field, for its label */
export function passphrase(id: string, { secret }: Acting): Html {
  return secret === 'none' ? NOTHING : html`<label for="${id}">Passphrase</label> <input id="${id}" name="secret" type="password" autocomplete="current-password"> `
}

function footer(): Html {
  return html`<footer>
<details><summary>Keyboard</summary>
<dl class="keys"><dt><kbd>/</kbd></dt><dd>to the word filter</dd><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous line</dd><dt><kbd>Enter</kbd></dt><dd>open it</dd><dt><kbd>p</kbd></dt><dd>pause and go on</dd><dt><kbd>u</kbd></dt><dd>the unexplained</dd></dl>
<p><label><input type="checkbox" id="keys-on" checked> Single keys are on</label></p>
</details>
</footer>`
}

export const more = (shown: number, total: number, word: string): string => shown < total ? `the first ${count(shown)} of ${plural(total, word)}` : plural(total, word)
