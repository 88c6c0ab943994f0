/**
 * Assigns the modules that pages import before they show anything to files: as hundreds of modules of a kilobyte each they would take as
 * many requests. The bundler's own groups can follow imports, but include a whole library where a single part is used; libraries are
 * therefore left to other groups.
 */
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = { getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, 'importedIds' | 'code'> | null }
/** Names the file of a module; null leaves it to other groups. */
type Naming = (id: string, graph: Graph) => string | null

const LIBRARY = /\/node_modules\//
/** Re-exports only: a page that imports one name from an index shows that module alone. The build drops the rest. */
export const INDEX = /\/src\/features\/\w+\/index\.ts$/
const NAMED = /(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']*)["']/g
/** An icon, or its outline. */
const ICON = /node_modules\/@ant-design\/icons(?:-svg)?\/es\/(?:icons|asn)\/(\w+)\.js$/

/** Return the names that a module imports or re-exports, and from where; with `as`, as `[name there, name here]`. */
const namesIn = (code: string): { from: string; names: string[][] }[] =>
  [...code.matchAll(NAMED)].map(([, names = '', from = '']) => ({ from, names: names.split(',').map((name) => name.trim().split(' as ')) }))

/** Return the modules of the console that a module imports statically: behind an index, those that define the names it takes. */
function importedBy(id: string, graph: Graph): string[] {
  const { code, importedIds = [] } = graph.getModuleInfo(id) ?? {}
  const named = namesIn(code ?? '')
  return importedIds.flatMap((imported) => {
    if (LIBRARY.test(imported)) return []
    if (!INDEX.test(imported)) return [imported]
    const names = named.filter(({ from }) => join(dirname(id), from) === imported).flatMap((one) => one.names.map(([there]) => there))
    const within = namesIn(graph.getModuleInfo(imported)?.code ?? '')
    return within.filter((one) => one.names.some((name) => names.includes(name.at(-1)))).map(({ from }) => join(dirname(imported), from))
  })
}

/** Return the icons that a module names, the only parts of a library that are looked for: each is a file of its own. */
const iconsIn = (code: string): string[] =>
  namesIn(code).flatMap(({ from, names }) => (from === '@ant-design/icons' ? names.map(([icon = '']) => icon) : []))

/** Return a test of whether a page statically imports a module of the console, directly or through others, or an icon that these show. */
function importsOf(page: string, graph: Graph): (id: string) => boolean {
  const modules = new Set([page])
  const icons = new Set<string>()
  // The set grows while it is iterated.
  for (const id of modules) {
    for (const icon of iconsIn(graph.getModuleInfo(id)?.code ?? '')) icons.add(icon)
    for (const imported of importedBy(id, graph)) modules.add(imported)
  }
  return (id) => modules.has(id) || icons.has(ICON.exec(id)?.[1] ?? '')
}

/** Return a function that makes a naming from the pages that import a module. @param pages paths of their modules within `source` */
export function filesOf(
  pages: readonly string[],
  source: string,
): (nameOf: (pages: ReadonlySet<string>, id: string) => string | null) => Naming {
  let imports: [page: string, has: (id: string) => boolean][] | undefined
  return (nameOf) => (id, graph) => {
    imports ??= pages.map((page) => [page, importsOf(join(source, page), graph)])
    return nameOf(new Set(imports.flatMap(([page, has]) => (has(id) ? [page] : []))), id)
  }
}
