/** How texts that each area keeps in files of its own become namespaces: the console's, and those that tests read under Node. */

/** A text, or more of them by name. */
export interface TextTree {
  readonly [name: string]: string | TextTree
}

/** Files by their path, as `import.meta.glob` finds them. */
export type TextFiles = Readonly<Record<string, TextTree>>

/** Return `account` of `./account.json`. */
export const namespaceOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1, -'.json'.length)

const branch = (tree: TextTree, name: string): TextTree => {
  const found = tree[name]
  return typeof found === 'object' ? found : {}
}

/** Return the text at this place, undefined where there is none. */
export function textAt(tree: TextTree, ...path: readonly string[]): string | undefined {
  const found = path.reduce<string | TextTree | undefined>((at, name) => (typeof at === 'object' ? at[name] : undefined), tree)
  return typeof found === 'string' ? found : undefined
}

/** Return one tree of several: where two have a branch of one name, the later one adds to it. */
const merged = (...trees: readonly TextTree[]): TextTree =>
  trees.reduce<TextTree>((all, tree) => {
    const next: Record<string, string | TextTree> = { ...all }
    for (const [name, value] of Object.entries(tree)) next[name] = typeof value === 'object' ? merged(branch(all, name), value) : value
    return next
  }, {})

/** The shell's texts with the titles of each area's screens (`title`), and what its forms do as the palette says it (`palette.do`). */
export const shellTexts = (shell: TextTree, titles: TextFiles): TextTree =>
  merged(shell, ...Object.values(titles).map((of) => ({ title: branch(of, 'title'), palette: { do: branch(of, 'do') } })))

/**
 * The namespaces of all features, by name. What an area's changes are called in the operation log (`logged`: `entity`, `field`) goes to
 * the log's namespace; what its calls do, to `operations`.
 */
export function featureTexts(files: TextFiles, operations: TextFiles): Record<string, TextTree> {
  const areas = Object.fromEntries(Object.entries(files).map(([file, texts]) => [namespaceOf(file), texts]))
  return {
    ...areas,
    audit: merged(areas['audit'] ?? {}, ...Object.values(areas).map((texts) => branch(texts, 'logged'))),
    operations: merged(...Object.values(operations)),
  }
}
