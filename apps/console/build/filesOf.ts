/**
 * What pages import before they show anything, for files to be made of it: hundreds of modules of a kilobyte each would be as many
 * requests. The bundler's own groups know what is imported, but whole libraries where a single part is used; so they are left to others.
 */
import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = { getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, 'importedIds' | 'code'> | null }
/** Names the file of a module; null leaves it to other groups. */
type Naming = (id: string, graph: Graph) => string | null

const LIBRARY = /\/node_modules\//
const ICONS = /import\s*\{([^}]*)\}\s*from\s*["']@ant-design\/icons["']/g
/** An icon, or its outline. */
const ICON = /node_modules\/@ant-design\/icons(?:-svg)?\/es\/(?:icons|asn)\/(\w+)\.js$/

/** Icons that a module names, the only parts of a library that are looked for: each is a file of its own. */
const iconsIn = (code: string): string[] =>
  [...code.matchAll(ICONS)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(/\s/)[0] ?? ''))

/** Whether a page imports a module of ours at once, directly or through others, or an icon that these show. */
function importsOf(page: string, graph: Graph): (id: string) => boolean {
  const modules = new Set([page])
  const icons = new Set<string>()
  // The set grows while it is walked.
  for (const id of modules) {
    const found = graph.getModuleInfo(id)
    for (const icon of iconsIn(found?.code ?? '')) icons.add(icon)
    for (const imported of found?.importedIds ?? []) if (!LIBRARY.test(imported)) modules.add(imported)
  }
  return (id) => modules.has(id) || icons.has(ICON.exec(id)?.[1] ?? '')
}

/** Files by the pages that import a module. @param pages by the names of their modules within `source` */
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
