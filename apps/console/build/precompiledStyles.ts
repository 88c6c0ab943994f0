/**
 * antd generates its style sheets in the browser, at a cost of 45 kB of script and of time when each component is first shown.
 * Its own precompiled sheet has the same rules, with the theme read from CSS variables; so the rules are taken from there,
 * without those of components the console never uses, and the functions that generate them are left out of the build.
 * `theme.zeroRuntime` (src/theme/antd.ts) switches the generation off in antd.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const SHEET = 'virtual:antd.css'
const RESOLVED = `\0${SHEET}`
const require = createRequire(import.meta.url)

/** Names of antd's hooks whose second argument generates rules. */
const WRITERS = ['genStyleHooks', 'genComponentStyleHook', 'genSubStyleComponent']
/** Components the console does without; their rules are four tenths of the sheet. */
const UNUSED = [
  'affix',
  'anchor',
  'back-top',
  'calendar',
  'carousel',
  'cascader',
  'color-picker',
  'comment',
  'float-btn',
  'image',
  'mentions',
  'qrcode',
  'rate',
  'masonry',
  'splitter',
  'statistic',
  'tour',
  'transfer',
  'watermark',
  'border-beam',
  'listy',
  'list',
  'card',
  'collapse',
  'steps',
  'timeline',
  'upload',
]

interface Node {
  type: string
  start: number
  end: number
  callee?: { name?: string }
  arguments?: Node[]
  [key: string]: unknown
}

function callsIn(node: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(node)) for (const item of node) callsIn(item, found)
  else if (node && typeof node === 'object') {
    const call = node as Node
    if (call.type === 'CallExpression' && WRITERS.includes(call.callee?.name ?? '')) found.push(call)
    for (const value of Object.values(call)) if (value && typeof value === 'object') callsIn(value, found)
  }
  return found
}

/** Selectors not needed here: unused components, the widths of a 24-column grid, and the stock theme's values, which ours replace. */
const NEEDLESS = new RegExp(
  `^(?:\\.ant-(?:${UNUSED.join('|')})(?![a-z])|\\.ant-col-(?:rtl\\.)?(?:ant-col-)?(?:xs|sm|md|lg|x+l|\\d)|\\.css-var-)`,
)

/** Return the sheet without rules that only unneeded selectors name. Selectors hold no braces, so a rule ends where braces balance. */
export function withoutUnused(sheet: string): string {
  const kept: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < sheet.length; at++) {
    if (sheet[at] === '{') depth++
    if (sheet[at] !== '}' || --depth > 0) continue
    const rule = sheet.slice(start, at + 1)
    // For a media query, the rules inside decide.
    const head = rule.startsWith('@media') ? rule.slice(rule.indexOf('{') + 1) : rule
    const selectors = head.slice(0, head.indexOf('{')).split(',')
    if (!selectors.every((selector) => NEEDLESS.test(selector.trim()))) kept.push(rule)
    start = at + 1
  }
  return kept.join('')
}

export function precompiledStyles(): Plugin {
  return {
    name: 'precompiled-styles',
    resolveId: (id) => (id === SHEET ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? withoutUnused(readFileSync(require.resolve('antd/dist/antd.css'), 'utf8')) : undefined),
    transform(code, id) {
      if (!/node_modules\/antd\/es\/.*style.*\.js$/.test(id)) return undefined
      const writers = callsIn(this.parse(code)).flatMap(({ arguments: [, writer] = [] }) => (writer ? [writer] : []))
      // From the end, so that earlier positions remain valid.
      return writers
        .toSorted((a, b) => b.start - a.start)
        .reduce((text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`, code)
    },
  }
}
