/**
 * How texts that each area keeps in files of its own become namespaces: used by the console, and by tests that read the files under Node.
 */

/** A text, or several by name. */
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

/** Return the text at a path, undefined where there is none. */
export function textAt(tree: TextTree, ...path: readonly string[]): string | undefined {
  const found = path.reduce<string | TextTree | undefined>((at, name) => (typeof at === 'object' ? at[name] : undefined), tree)
  return typeof found === 'string' ? found : undefined
}

/** Return several trees merged into one: where two have a branch of the same name, the later one adds to it. */
const merged = (...trees: readonly TextTree[]): TextTree =>
  trees.reduce<TextTree>((all, tree) => {
    const next: Record<string, string | TextTree> = { ...all }
    for (const [name, value] of Object.entries(tree)) next[name] = typeof value === 'object' ? merged(branch(all, name), value) : value
    return next
  }, {})

/**
 * Return the shell's texts with the titles of each area's screens (`title`), and the names of its forms as actions of the palette
 * (`palette.do`).
 */
export const shellTexts = (shell: TextTree, titles: TextFiles): TextTree =>
  merged(shell, ...Object.values(titles).map((of) => ({ title: branch(of, 'title'), palette: { do: branch(of, 'do') } })))

/**
 * Return the namespaces of all features, by name. The names of an area's changes in the operation log (`logged`: `entity`, `field`) are
 * merged into
 * the log's namespace; those of its calls, into `operations`.
 */
export function featureTexts(files: TextFiles, operations: TextFiles): Record<string, TextTree> {
  const areas = Object.fromEntries(Object.entries(files).map(([file, texts]) => [namespaceOf(file), texts]))
  return {
    ...areas,
    audit: merged(areas['audit'] ?? {}, ...Object.values(areas).map((texts) => branch(texts, 'logged'))),
    operations: merged(...Object.values(operations)),
  }
}
