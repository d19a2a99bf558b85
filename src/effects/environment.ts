/**
 * Environment that changes what runs: a start under an allowed name with a library, a start-up file or a search path of the tool's own is a start
 * of something else. Names as their makers document them (ld.so(8), bash(1), git(1), node, python, perl, ruby, java, .NET).
 */
export type Environment = Readonly<Record<string, string | undefined>>

const NAMES = new Set([
  'GCONV_PATH', 'OPENSSL_CONF', 'OPENSSL_MODULES', 'OPENSSL_ENGINES', 'GIO_EXTRA_MODULES', 'GTK_MODULES', 'GTK_PATH', 'QT_PLUGIN_PATH',
  'BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'IFS', 'ZDOTDIR', 'PROMPT_COMMAND', 'CDPATH', 'COMSPEC', 'PATHEXT',
  'NODE_OPTIONS', 'NODE_PATH', 'ELECTRON_RUN_AS_NODE', 'BUN_OPTIONS', 'DENO_DIR',
  'PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONUSERBASE', 'PYTHONBREAKPOINT', 'PYTHONWARNINGS', 'PYTHONEXECUTABLE', 'PYTHONPLATLIBDIR', 'VIRTUAL_ENV',
  'PERL5OPT', 'PERL5LIB', 'PERLLIB', 'PERL5DB', 'RUBYOPT', 'RUBYLIB', 'GEM_PATH', 'GEM_HOME', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LUA_PATH', 'LUA_CPATH', 'R_PROFILE', 'R_PROFILE_USER',
  'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'CLASSPATH', 'DOTNET_STARTUP_HOOKS', 'DOTNET_ADDITIONAL_DEPS', 'MAKEFLAGS', 'RUSTC_WRAPPER',
  'LESSOPEN', 'LESSCLOSE', 'GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR', 'GIT_DIR',
])
const PREFIXES = ['LD_', 'DYLD_', 'BASH_FUNC_', 'LUA_INIT', 'GIT_CONFIG', 'COR_', 'CORECLR_', 'NPM_CONFIG_']
/** These name a command that the program will run. */
const COMMANDS = new Set(['EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'BROWSER', 'SHELL', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'GIT_ASKPASS', 'GIT_PROXY_COMMAND'])
/** Commands that do nothing, the usual way to say "ask nobody". */
const NOTHING = new Set(['', ':', 'true', 'false', 'cat', '/bin/true', '/bin/false', '/usr/bin/true', '/usr/bin/false', '/bin/cat'])
/** Options of Node that load no code. */
const TUNING = /^(?:\s*--(?:max-(?:old|semi)-space-size=\d+|no-warnings|no-deprecation|enable-source-maps|trace-(?:warnings|deprecation|uncaught)|unhandled-rejections=\w+|dns-result-order=\w+|stack-trace-limit=\d+))*\s*$/

/**
 * Names of variables that the child gets, that change what runs, and that were not so when the call began.
 * @param before the host's own environment
 */
export function changedBy(child: Environment, before: Environment): string[] {
  return Object.keys(child).filter(name => {
    const value = child[name]
    return value !== undefined && value !== before[name] && changes(process.platform === 'win32' ? name.toUpperCase() : name, value)
  }).sort()
}

/** Empty is not nothing everywhere: an empty entry of a search path is the working folder. */
function changes(name: string, value: string): boolean {
  if (COMMANDS.has(name)) return !NOTHING.has(value)
  if (value === '') return false
  if (name === 'NODE_OPTIONS') return !TUNING.test(value)
  return NAMES.has(name) || PREFIXES.some(prefix => name.toUpperCase().startsWith(prefix) && (prefix !== 'NPM_CONFIG_' || /^npm_config_(?:script_shell|prefix|node_options|globalconfig|userconfig|shell|git|editor)$/i.test(name)))
}

/** `NAME=value`, as Node hands an environment to a new process. */
export function fromPairs(pairs: unknown): Environment | undefined {
  if (!Array.isArray(pairs)) return undefined
  return Object.fromEntries(pairs.map(pair => { const text = String(pair); const at = text.indexOf('=', 1); return [text.slice(0, at), text.slice(at + 1)] }))
}
