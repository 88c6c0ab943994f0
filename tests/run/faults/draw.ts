/** The faults that a seed selects, and their text as patches. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { areaOf } from '../changed.ts'
import { ROOT } from '../program.ts'
import { consoleKinds } from './console-kinds.ts'
import type { Edit } from './edits.ts'
import { serverKinds, type Find } from './server-kinds.ts'

/** One change of one file. */
export interface Fault extends Edit {
  side: 'server' | 'console'
  kind: string
  /** The area of the product, e.g. `people`; for shared files, the layer. */
  context: string
  path: string
  line: number
}

const SIDES = [
  { side: 'server', kinds: serverKinds, sources: ['apps/server/src/{contexts,platform}/**/*.ts', 'packages/contract/src/**/*.ts'] },
  { side: 'console', kinds: consoleKinds, sources: ['apps/console/src/{api,features,kit,shared,shell}/**/*.{ts,tsx}'] },
] as const
/** Tests and their helpers, migrations, and tables of words and demo data. */
const NO_SOURCE = /\.test\.tsx?$|\/testing\/|^apps\/server\/.*[/-](schema|migrations?)(-[\w-]+)?\.ts$|\/(i18n|enums)\/|\/asyncapi\.ts$/
const SERVER_SHARE = 0.6

export const sourceOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Return the area a source belongs to, else the layer. */
const contextOf = (path: string): string => areaOf(path) ?? /(platform|api|kit|shared|shell|contract)\//.exec(path)?.[1] ?? ''

/** Find every fault of these kinds that a text can have, in the order of their places. */
export function faultsIn(text: string, path: string, side: Fault['side'], kinds: Readonly<Record<string, Find>>): Fault[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Fault[] = []
  function visit(node: ts.Node): void {
    for (const [kind, find] of Object.entries(kinds))
      for (const edit of find(node)) {
        const first = edit.start + /^\s*/.exec(text.slice(edit.start, edit.end))![0].length
        found.push({ ...edit, side, kind, context: contextOf(path), path, line: tree.getLineAndCharacterOfPosition(first).line + 1 })
      }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Return every fault the checkout can have. */
export const everyFault = (): Fault[] =>
  SIDES.flatMap(({ side, kinds, sources }) =>
    globSync(sources, { cwd: ROOT })
      .filter((path) => !NO_SOURCE.test(path))
      .toSorted()
      .flatMap((path) => faultsIn(sourceOf(path), path, side, kinds)),
  )

/** Return a generator of numbers below a limit, determined by a seed. */
function numbersOf(seed: string): (below: number) => number {
  let count = 0
  return (below) => createHash('sha256').update(`${seed} ${count++}`).digest().readUIntBE(0, 6) % below
}

/** Draw this many faults: of each kind in turn, of the context that had the fewest, and at most one per file. */
export function drawFaults(candidates: readonly Fault[], count: number, seed: string): Fault[] {
  const numberBelow = numbersOf(seed)
  const shuffled = <T>(items: Iterable<T>): T[] =>
    [...items]
      .map((item) => ({ item, at: numberBelow(2 ** 40) }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item)
  const ofServer = Math.round(count * SERVER_SHARE)
  const drawn: Fault[] = []
  for (const { side } of SIDES) {
    const wanted = side === 'server' ? ofServer : count
    const had = new Map<string, number>()
    let kinds = shuffled(new Set(candidates.filter((fault) => fault.side === side).map(({ kind }) => kind)))
    while (drawn.length < wanted && kinds.length > 0) {
      const [kind = '', ...others] = kinds
      const free = candidates.filter(
        (fault) => fault.side === side && fault.kind === kind && !drawn.some(({ path }) => path === fault.path),
      )
      kinds = free.length > 0 ? [...others, kind] : others
      const contexts = shuffled(new Set(free.map(({ context }) => context)))
      const [context] = contexts.toSorted((one, other) => (had.get(one) ?? 0) - (had.get(other) ?? 0))
      if (context === undefined) continue
      had.set(context, (had.get(context) ?? 0) + 1)
      const choice = free.filter((fault) => fault.context === context)
      drawn.push(choice[numberBelow(choice.length)]!)
    }
  }
  return drawn
}

export const withFault = (text: string, { start, end, text: instead }: Edit): string => text.slice(0, start) + instead + text.slice(end)

/** Return a fault as a patch for `git apply`. @param around lines of context */
export function patchOf(fault: Fault, around = 3, text = sourceOf(fault.path)): string {
  const before = text.split('\n')
  const after = withFault(text, fault).split('\n')
  const differs = before.findIndex((line, at) => line !== after[at])
  let same = 0
  while (same < Math.min(before.length, after.length) - differs && before.at(-1 - same) === after.at(-1 - same)) same++
  const from = Math.max(0, differs - around)
  const ends = (lines: string[]): number => Math.min(lines.length - 1, lines.length - same + around)
  const lines = [
    ...before.slice(from, differs).map((line) => ` ${line}`),
    ...before.slice(differs, before.length - same).map((line) => `-${line}`),
    ...after.slice(differs, after.length - same).map((line) => `+${line}`),
    ...before.slice(before.length - same, ends(before)).map((line) => ` ${line}`),
  ]
  const head = `@@ -${from + 1},${ends(before) - from} +${from + 1},${ends(after) - from} @@`
  return [`--- a/${fault.path}`, `+++ b/${fault.path}`, head, ...lines, ''].join('\n')
}
