/**
 * Modules that libraries always bring along and the console never runs: each becomes empty functions of the same names.
 * Leaving them out keeps the first list page within its 350 kB.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const UNUSED = [
  // JSON Schemas are made from schemas on the server only.
  /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
  // Lists filter on the server, above the table.
  /antd\/es\/table\/hooks\/useFilter\/FilterDropdown\.js$/,
  // Deprecated by antd itself.
  /antd\/es\/dropdown\/dropdown-button\.js$/,
  // A page has at most a hundred rows.
  /antd\/es\/table\/RcTable\/VirtualTable\.js$/,
]

/** The same for modules that other modules do use: the importer that never runs them, and its import specifier. */
const UNUSED_BY: [user: RegExp, used: string][] = [
  // The size of a page is chosen from a menu (src/kit/list/PageSize.tsx).
  [/antd\/es\/pagination\//, '../select'],
  // Rows are marked by checkbox.
  [/antd\/es\/table\/hooks\/useSelection/, '../../radio'],
]
const NOTHING = '\0nothing'

/** Imports of a whole library for a single part of it: who imports, which library, and the modules of the part. */
const PARTS: [user: RegExp, library: string, modules: string[]][] = [
  [/antd\/es\/form\/context/, '@rc-component/form', ['FormContext']],
  [/antd\/es\/table\/hooks\/useSelection/, '@rc-component/tree', ['util', 'utils/conductUtil', 'utils/treeUtil']],
]
const PART = '\0part:'

/** Return the names a module exports, in the forms that libraries are compiled to. */
const namesIn = (code: string): string[] => [...code.matchAll(/^export (?:const|function|var|let) (\w+)/gm)].map(([, name]) => name ?? '')

export function leaveOutUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (UNUSED_BY.some(([user, used]) => source === used && user.test(importer))) return NOTHING
      return PARTS.some(([user, library]) => source === library && user.test(importer)) ? PART + source : undefined
    },
    load(id) {
      if (id === NOTHING) return 'export default () => null'
      if (id.startsWith(PART)) {
        const [, library, modules] = PARTS.find((part) => PART + part[1] === id) ?? [undefined, '', []]
        return modules.map((module) => `export * from '${library}/es/${module}'`).join('\n')
      }
      if (!UNUSED.some((module) => module.test(id))) return undefined
      const code = readFileSync(id, 'utf8')
      const absent = namesIn(code).map((name) => `export const ${name} = () => null`)
      return [...absent, ...(/^export default/m.test(code) ? ['export default () => null'] : [])].join('\n')
    },
  }
}
