/**
 * YAML text -> a plain tree with the place of every part. The only file that names the library; what the tree may hold is judged in strict.ts.
 */
import { Composer, isAlias, isScalar, isSeq, LineCounter, Parser, type Document, type ParsedNode, type YAMLError } from 'yaml'

interface Part {
  /** Offset in the text. */
  readonly start: number
  readonly anchor?: string
  /** An explicit tag, as `!!bool`. */
  readonly tag?: string
}
export interface ScalarTree extends Part {
  readonly kind: 'scalar'
  readonly value: unknown
  readonly style: 'plain' | 'quoted' | 'block'
  readonly end: number
}
export interface MapTree extends Part { readonly kind: 'map', readonly entries: readonly { readonly key: Tree, readonly value: Tree }[] }
export interface ListTree extends Part { readonly kind: 'list', readonly items: readonly Tree[] }
export interface AliasTree extends Part { readonly kind: 'alias', readonly name: string }
export type Tree = ScalarTree | MapTree | ListTree | AliasTree

export interface YamlRead {
  /** Undefined when the text is no single YAML document: then there are problems. */
  readonly tree: Tree | undefined
  readonly problems: readonly { readonly offset: number, readonly message: string }[]
  place(offset: number): { readonly line: number, readonly column: number }
}

/**
 * Core schema and no merge, whatever the file says: a `%YAML 1.1` line would turn `on` into true. The library's own check for unique keys
 * compares all with all, so strict.ts has one of its own.
 */
const OPTIONS = { schema: 'core', version: '1.2', merge: false, uniqueKeys: false, strict: true, prettyErrors: false, logLevel: 'silent', resolveKnownTags: false } as const

export function readYaml(text: string): YamlRead {
  const lines = new LineCounter()
  const problems: { offset: number, message: string }[] = []
  let tree: Tree | undefined
  try {
    const document = compose(text, lines, problems)
    if (document && problems.length === 0) tree = document.contents ? treeOf(document.contents) : EMPTY
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    problems.push({ offset: 0, message: TOO_DEEP })
  }
  return {
    tree, problems,
    place: offset => {
      const { line, col } = lines.linePos(offset)
      return { line: Math.max(1, line), column: Math.max(1, col) }
    },
  }
}

/** Deep nesting exhausts the stack, here or inside the library, which says so in an error of its own. */
const TOO_DEEP = 'nested too deeply to be read; a route file needs six levels'
const EMPTY: Tree = { kind: 'scalar', value: null, style: 'plain', start: 0, end: 0 }

function compose(text: string, lines: LineCounter, problems: { offset: number, message: string }[]): Document.Parsed | undefined {
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  for (const token of tokens) {
    if (token.type !== 'directive') continue
    problems.push({ offset: token.offset, message: `the directive ${JSON.stringify(token.source)} would change how the file is read; take the line out` })
  }
  const [first, second] = [...new Composer(OPTIONS).compose(tokens, true, text.length)]
  for (const document of [first, second]) {
    for (const error of document?.errors ?? []) problems.push({ offset: error.pos[0], message: syntaxMessage(error) })
  }
  if (second) problems.push({ offset: second.range[0], message: 'a second document begins here ("---"); a route file is one document, so take the "---" out or use a second file' })
  return first
}

function syntaxMessage(error: YAMLError): string {
  if (error.message.includes('call stack')) return TOO_DEEP
  const hint = HINTS.get(error.code) ?? 'check the indentation, and quote texts that hold any of : # { } [ ] , & * ! | > % @ `'
  return `not valid YAML: ${error.message.replace(/\s+/g, ' ')}; ${hint}`
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'indent with spaces'],
  ['BAD_ALIAS', 'anchors and aliases are not allowed; use `shared:` and `extends:`'],
  ['MISSING_CHAR', 'close the quotation mark or bracket'],
])

function treeOf(node: ParsedNode): Tree {
  const start = node.range[0]
  if (isAlias(node)) return { kind: 'alias', name: node.source, start }
  const part: Part = { start, ...(node.anchor === undefined ? {} : { anchor: node.anchor }), ...(node.tag === undefined ? {} : { tag: node.tag }) }
  if (isScalar(node)) {
    const style = node.type === 'PLAIN' ? 'plain' : node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL' ? 'block' : 'quoted'
    return { kind: 'scalar', value: node.value, style, end: node.range[1], ...part }
  }
  if (isSeq(node)) return { kind: 'list', items: node.items.map(item => treeOf(item as ParsedNode)), ...part }
  const entries = node.items.map(({ key, value }) => {
    const keyTree = treeOf(key as ParsedNode)
    // A key in a flow map may stand alone, without colon and value.
    return { key: keyTree, value: value ? treeOf(value as ParsedNode) : { kind: 'scalar', value: null, style: 'plain', start: keyTree.start, end: keyTree.start } as const }
  })
  return { kind: 'map', entries, ...part }
}
