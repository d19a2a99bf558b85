/** The word lists behind the arming rules: data only. Base forms; `forms.ts` adds the endings. */

/** Doing words whose effect leaves the conversation. As a flag, the word alone says that it happens. */
export const EFFECT_VERBS: readonly string[] = [
  'send', 'notify', 'open', 'launch', 'confirm', 'publish', 'post', 'email', 'mail', 'sms', 'charge', 'pay', 'purchase', 'buy', 'delete', 'remove', 'force', 'commit', 'deploy',
  'execute', 'submit', 'purge', 'drop', 'overwrite', 'transfer', 'invite', 'share', 'grant', 'merge', 'push', 'restart', 'reboot', 'shutdown', 'unlock', 'lock', 'call', 'dial',
  'order', 'book', 'cancel', 'wipe', 'reset', 'approve', 'accept', 'agree', 'reject', 'decline', 'authorize', 'authorise', 'acknowledge', 'activate', 'deactivate', 'revoke',
  'destroy', 'erase', 'truncate', 'flush', 'discard', 'terminate', 'kill', 'abort', 'trigger', 'run', 'apply', 'install', 'uninstall', 'upgrade', 'rollback', 'revert', 'restore',
  'replace', 'broadcast', 'announce', 'alert', 'forward', 'reply', 'tweet', 'subscribe', 'unsubscribe', 'unpublish', 'archive', 'ban', 'block', 'kick', 'suspend', 'refund',
  'withdraw', 'trade', 'sell', 'bid', 'donate', 'sign', 'release', 'reserve', 'unpair', 'disburse', 'dispatch', 'ship', 'disarm', 'mark', 'unmark', 'modify', 'upsert', 'escalate',
  'clear', 'empty', 'rename', 'migrate', 'rotate', 'evict', 'expire', 'enroll', 'enrol', 'promote', 'demote', 'assign', 'unassign', 'upload', 'write', 'prune', 'unlink', 'eject', 'start', 'stop', 'close',
  'spend', 'renew', 'retweet', 'finalize', 'finalise', 'redeem', 'vote', 'upvote', 'downvote', 'unfollow', 'provision', 'deprovision', 'decommission', 'impersonate',
]

/** Also a thing, a state or a manner: alone they are a flag, before another word they may only describe it. */
export const ALSO_NOUNS: ReadonlySet<string> = new Set([
  'open', 'post', 'email', 'mail', 'sms', 'charge', 'order', 'book', 'call', 'share', 'push', 'merge', 'transfer', 'reset', 'force', 'bid', 'trade', 'sign', 'alert', 'reply',
  'release', 'reserve', 'run', 'block', 'lock', 'drop', 'purchase', 'ship', 'ban', 'clear', 'empty', 'archive', 'start', 'stop', 'close', 'write', 'upload', 'dispatch', 'replace', 'trigger', 'apply', 'upgrade', 'assign', 'rotate', 'expire', 'install', 'commit', 'launch', 'broadcast', 'forward', 'pay', 'kick', 'rename',
])

/** Flags whose name is one of these are about how results look or what a page holds; only a name that begins with `auto_`, `should_` or the like arms. */
export const WEAK_VERBS: ReadonlySet<string> = new Set(['start', 'stop', 'close', 'clear', 'empty', 'run', 'block', 'sign', 'write', 'prune', 'rotate', 'expire', 'assign', 'apply', 'rename'])

/** Effects that an enum value can name, on top of the verbs above: in a flag they are too common to mean anything. */
export const ENUM_VERBS: readonly string[] = ['create', 'update', 'add', 'insert', 'set', 'save', 'edit', 'append', 'upsert', 'write', 'enable', 'disable', 'resolve', 'unresolve', 'dismiss', 'rerun', 'retry', 'move', 'mark', 'unmark', 'mute', 'turn', 'rebase', 'squash', 'patch', 'put', 'modify', 'import', 'register', 'link', 'unlink', 'attach', 'detach', 'connect', 'disconnect', 'pause', 'resume', 'change', 'upload', 'sync', 'rewrite', 'request', 'ignore']

/** How something is done rather than what state it is in: `isForced` arms although `isOpen` does not. */
export const MANNER_VERBS: ReadonlySet<string> = new Set(['force', 'confirm', 'approve', 'accept', 'agree', 'authorize', 'authorise', 'acknowledge', 'commit', 'publish', 'share', 'grant', 'overwrite'])

/** Nouns of action, and the verb behind each. */
export const ACTION_NOUNS: ReadonlyMap<string, string> = new Map([
  ['notification', 'notify'], ['notifications', 'notify'], ['deletion', 'delete'], ['removal', 'remove'], ['payment', 'pay'], ['payments', 'pay'], ['submission', 'submit'], ['confirmation', 'confirm'],
  ['deployment', 'deploy'], ['execution', 'execute'], ['publication', 'publish'], ['approval', 'approve'], ['cancellation', 'cancel'], ['acceptance', 'accept'], ['agreement', 'agree'], ['consent', 'agree'], ['activation', 'activate'],
  ['deactivation', 'deactivate'], ['termination', 'terminate'], ['destruction', 'destroy'], ['invitation', 'invite'], ['invitations', 'invite'], ['purchases', 'purchase'], ['installation', 'install'], ['restoration', 'restore'], ['announcement', 'announce'],
  ['emails', 'email'], ['authorization', 'authorize'], ['authorisation', 'authorise'], ['reminder', 'notify'], ['reminders', 'notify'], ['push', 'push'],
])

/** Forms that no rule of endings gives. */
export const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map([
  ['sent', 'send'], ['paid', 'pay'], ['bought', 'buy'], ['sold', 'sell'], ['ran', 'run'], ['withdrew', 'withdraw'], ['withdrawn', 'withdraw'], ['overwrote', 'overwrite'], ['overwritten', 'overwrite'],
  ['rang', 'ring'], ['rung', 'ring'], ['written', 'write'], ['wrote', 'write'], ['shut', 'shutdown'], ['transferred', 'transfer'], ['transferring', 'transfer'],
])

/** Words before the verb that say "do it" and nothing else. */
export const GO_WORDS: ReadonlySet<string> = new Set(['should', 'shall', 'will', 'would', 'must', 'do', 'does', 'to', 'please', 'want', 'wants', 'also', 'and', 'then', 'auto', 'automatically', 'automatic', 'always', 'immediately', 'now', 'allow', 'allows', 'allowed', 'enable', 'enabled', 'enables', 'can', 'may', 'really', 'just', 'be', 'use', 'permit', 'on', 'or', 'after', 'hard', 'soft', 'bulk', 'cascade', 'user', 'i', 'we', 'and', 'silently', 'quick', 'instant', 'flag', 'opt', 'in', 'assume', 'answer', 'say'])

/** Two words that are one verb, and the verb they count as. */
export const PHRASES: ReadonlyMap<string, string> = new Map([
  ['shut down', 'shutdown'], ['shut off', 'shutdown'], ['power off', 'shutdown'], ['turn off', 'shutdown'], ['switch off', 'shutdown'], ['turn on', 'activate'], ['switch on', 'activate'], ['power on', 'activate'],
  ['roll back', 'rollback'], ['place order', 'order'], ['go live', 'publish'], ['log out', 'terminate'], ['sign out', 'terminate'], ['log off', 'terminate'], ['hang up', 'terminate'], ['sign up', 'enroll'],
])

/** Words that are written in one with the verb behind them: `autopay`, `nosend`. */
export const GLUED_WORDS: readonly string[] = ['auto', 'no', 'dont', 'skip', 'force', 'should']

/** Who says that it was agreed has agreed: `terms_accepted`, `gdpr_consent`. */
export const CONSENT_VERBS: ReadonlySet<string> = new Set(['accept', 'agree', 'approve', 'confirm', 'authorize', 'authorise', 'acknowledge'])

/** A name that begins so asks about a state. */
export const STATE_WORDS: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were', 'has', 'have', 'had', 'been', 'already', 'currently', 'ever', 'last'])

/** A name that begins (or ends, `only`) so chooses what is shown. */
export const VIEW_WORDS: ReadonlySet<string> = new Set(['include', 'includes', 'included', 'including', 'exclude', 'excludes', 'excluded', 'excluding', 'show', 'shows', 'list', 'lists', 'get', 'gets', 'fetch', 'return', 'returns', 'only', 'hide', 'hides', 'filter', 'filters', 'view', 'display', 'displays', 'contains', 'find', 'search', 'sort', 'group', 'count', 'expand', 'since', 'before', 'compare', 'explain', 'read', 'match', 'matches', 'keep', 'with', 'count'])

/** Of those, deeds all the same after `with`: `with_push` pushes, `with_email` only shows it. */
export const WITH_DEEDS: ReadonlySet<string> = new Set(['push', 'merge', 'force', 'commit', 'install', 'launch', 'upload', 'release', 'reset'])

/** What is written in one with the verb before it: `sendmail`, `postmessage`. */
export const GLUED_TAILS: readonly string[] = ['mail', 'mails', 'email', 'emails', 'message', 'messages', 'msg', 'sms', 'text', 'now', 'all', 'file', 'files', 'invite', 'invites', 'notification', 'user', 'users', 'order', 'payment', 'tweet', 'comment', 'reply', 'alert']

/** Whom something reaches. */
export const AUDIENCE_NAMES: ReadonlySet<string> = new Set(['recipient', 'recipients', 'to', 'cc', 'bcc', 'audience', 'subscribers', 'invitees', 'attendees', 'notify', 'mention', 'mentions', 'addressees', 'receivers'])

/** Who may see something, and the answers that mean everybody. */
export const EXPOSING_NAMES: ReadonlySet<string> = new Set(['visibility', 'privacy', 'access', 'audience', 'sharing', 'exposure', 'acl'])
export const EXPOSED_TO: ReadonlySet<string> = new Set(['public', 'everyone', 'everybody', 'anyone', 'anybody', 'world', 'internet'])

/** Flags that hold an effect back: `false` lets it go. Each is the whole name, but for the words in `MODE_WORDS`. */
export const SAFE_MODES: readonly (readonly string[])[] = [
  ['dry', 'run'], ['dryrun'], ['preview'], ['draft'], ['simulate'], ['simulated'], ['simulation'], ['sandbox'], ['sandboxed'], ['test', 'mode'], ['testmode'], ['test'], ['test', 'run'], ['read', 'only'], ['readonly'], ['validate', 'only'], ['validation', 'only'], ['validate'],
  ['check', 'only'], ['plan', 'only'], ['plan'], ['what', 'if'], ['whatif'], ['noop'], ['no', 'op'], ['mock'], ['fake'], ['rehearsal'], ['trial', 'run'], ['safe', 'mode'], ['safe'], ['interactive'], ['ask', 'first'], ['prompt'], ['private'], ['suggestion'], ['suggest'], ['local', 'only'], ['offline'], ['paper', 'trading'],
  ['require', 'confirmation'], ['requires', 'confirmation'], ['require', 'confirm'], ['require', 'approval'], ['requires', 'approval'], ['needs', 'confirmation'], ['needs', 'approval'], ['confirm', 'first'], ['confirmation', 'required'], ['approval', 'required'], ['ask', 'before'], ['ask', 'confirmation'], ['require', 'review'], ['suggest', 'only'],
]
export const MODE_WORDS: ReadonlySet<string> = new Set(['mode', 'is', 'as', 'a', 'in', 'enabled', 'enable', 'only', 'flag', 'use', 'save', 'create', 'option', 'make', 'run', 'the', 'do', 'should', 'first', 'set'])

/** A name that begins so turns the rest round. */
export const NEGATIONS: ReadonlySet<string> = new Set(['skip', 'skips', 'no', 'not', 'dont', 'disable', 'disables', 'disabled', 'without', 'suppress', 'prevent', 'never', 'mute', 'ignore', 'ignores', 'bypass', 'omit', 'avoid', 'block', 'stop', 'hold', 'defer', 'silence'])

/** What protects: to be without it arms. */
export const SAFEGUARDS: ReadonlySet<string> = new Set(['confirm', 'confirmation', 'confirmations', 'prompt', 'prompts', 'check', 'checks', 'validation', 'validate', 'verify', 'verification', 'review', 'reviews', 'approval', 'approvals', 'approve', 'backup', 'backups', 'trash', 'safety', 'safe', 'safeguards', 'warning', 'warnings', 'sandbox', 'hook', 'hooks', 'protection', 'guard', 'guards', 'lock', 'auth', 'authentication', 'preview', 'dry', 'draft', 'limit', 'limits', 'policy', 'policies', 'permission', 'permissions', 'security', 'ssl', 'tls', 'consent', 'interactive', 'verification'])

/** Words that raise the stakes of whatever the tool does. */
export const RISK_WORDS: ReadonlySet<string> = new Set(['public', 'permanent', 'permanently', 'irreversible', 'dangerous', 'dangerously', 'unsafe', 'live', 'yes', 'immediate', 'everyone', 'everybody', 'hard', 'cascade', 'irrevocable', 'aggressive', 'unrestricted', 'unattended', 'insecure', 'active'])

/** After one of these a name is a figure, a place, a moment or a label, not a deed. */
export const MEASURE_TAILS: ReadonlySet<string> = new Set(['count', 'counts', 'id', 'ids', 'at', 'by', 'date', 'time', 'timestamp', 'total', 'totals', 'rate', 'color', 'colors', 'colour', 'colours', 'number', 'length', 'size', 'width', 'height', 'percent', 'ratio', 'history', 'desc', 'asc', 'verified', 'title', 'issues', 'name', 'names', 'status', 'statuses', 'type', 'types', 'code', 'index', 'required', 'hours', 'url', 'uri', 'domain', 'version', 'choice', 'range', 'background', 'deps', 'fields', 'hint', 'label', 'labels'])

/** Leaf names that say nothing themselves: the property around them gives the meaning. */
export const EMPTY_LEAVES: ReadonlySet<string> = new Set(['enabled', 'enable', 'value', 'on', 'flag', 'active', 'set', 'state', 'is_enabled', 'selected', 'checked', 'default'])

/** Properties whose enum values are states, orders or formats: only a plain order (`delete`) counts there. */
export const DESCRIBING_NAMES: ReadonlySet<string> = new Set(['state', 'status', 'statuses', 'states', 'sort', 'order', 'filter', 'filters', 'format', 'language', 'lang', 'direction', 'category', 'unit', 'units', 'field', 'fields', 'column', 'columns', 'operator', 'scope', 'severity', 'priority', 'period', 'interval', 'range', 'type', 'types', 'kind', 'content', 'theme', 'label', 'labels', 'side', 'layout', 'by', 'match', 'source', 'channel', 'view', 'metric', 'role', 'reason', 'level'])

/** Whole values that widen a call to everything. */
export const EVERYTHING: ReadonlySet<string> = new Set(['*', '**', '*.*', '%', '.*', 'all', 'any', 'every', 'everything', 'everyone', 'everybody', 'anyone', 'anybody', '@all', '@everyone', '@here', '@channel', 'unlimited', 'infinite', 'infinity', 'all of them', 'all of it', 'them all', 'the lot'])

/** Names of counts, where a negative number stands for "no limit". */
export const COUNT_WORDS: ReadonlySet<string> = new Set(['limit', 'count', 'max', 'maximum', 'top', 'n', 'k', 'size', 'depth', 'number', 'num', 'per', 'page', 'rows', 'results', 'items', 'first', 'last', 'take', 'amount', 'quantity', 'days', 'retries'])

export const YES_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1', 'y', 't', 'enabled', 'enable', 'ok'])
export const NO_WORDS: ReadonlySet<string> = new Set(['false', 'no', 'off', '0', 'n', 'f', 'disabled', 'disable', 'none', ''])

/** Parameters that only a list or a search has: next to them, a flag in state form is a filter. */
export const QUERY_NAMES: ReadonlySet<string> = new Set(['limit', 'page', 'perpage', 'per_page', 'pagesize', 'page_size', 'cursor', 'offset', 'query', 'q', 'search', 'sort', 'sort_by', 'sortby', 'order_by', 'orderby', 'start_cursor'])
