/** Kinds of faults of the console. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../program.ts'
import { bare, calledName, inverted, namedProperties, replaced, withoutProperty, withoutStatement, type Edit } from './edits.ts'
import { lostInMapping, type Find } from './server-kinds.ts'

/** Whether a node creates the values of a form: in a file for them, or in a function with such a name beside its form. */
function isOfValues(node: ts.Node): boolean {
  if (/Values\.tsx?$/.test(node.getSourceFile().fileName)) return true
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if ((ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at)) && /^\w*[vV]aluesOf$/.test(at.name?.getText() ?? '')) return true
  return false
}

const lostField: Find = (node) => {
  if (!ts.isObjectLiteralExpression(node)) return []
  const given = ts.isJsxExpression(node.parent) ? node.parent.parent : node.parent
  const name = ts.isPropertyAssignment(given) || ts.isJsxAttribute(given) ? given.name.getText() : ''
  const call = given.parent.parent
  // `hidden` is what a form sends in addition to its fields.
  const isRequest = name === 'hidden' || (name === 'body' && ts.isCallExpression(call) && /^(run|send)$/.test(calledName(call)))
  if (isRequest) return namedProperties(node).map((property) => withoutProperty(node, property))
  return isOfValues(node) ? lostInMapping(node) : []
}

const conditionInverted: Find = (node) => {
  if (!ts.isJsxExpression(node) || !node.expression) return []
  if (ts.isJsxAttribute(node.parent)) {
    const isShown = /^(disabled|hidden|visible)$/.test(node.parent.name.getText()) && !ts.isObjectLiteralExpression(node.expression)
    return isShown ? [inverted(node.expression)] : []
  }
  const { expression } = node
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) return []
  const shown = bare(expression.right)
  return ts.isJsxElement(shown) || ts.isJsxSelfClosingElement(shown) || ts.isJsxFragment(shown) ? [inverted(expression.left)] : []
}

/** Read the English texts of a namespace by dotted key, in the order they are written in; words of the contract are left out. */
function textsOf(namespace: string): [key: string, text: string][] {
  const flat = (value: object, prefix: string): [string, string][] =>
    Object.entries(value).flatMap(([key, inner]: [string, string | object]) =>
      typeof inner === 'string' ? [[prefix + key, inner]] : flat(inner, `${prefix}${key}.`),
    )
  const file = join(ROOT, 'apps/console/src/i18n/en', `${namespace}.json`)
  return existsSync(file) ? flat(JSON.parse(readFileSync(file, 'utf8')) as object, '') : []
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('.') + 1)

const wrongText: Find = (node) => {
  if (!ts.isCallExpression(node) || calledName(node) !== 't' || node.arguments.length !== 1) return []
  const [given] = node.arguments
  const source = node.getSourceFile().text
  const [namespace, ...others] = new Set([...source.matchAll(/\bt \} = useTranslation\(([^)]*)\)/g)].map(([, name = '']) => name))
  if (!given || !ts.isStringLiteral(given) || !namespace || others.length > 0) return []
  // Without values and without plural forms, so that one can replace another.
  const beside = textsOf(namespace.slice(1, -1)).filter(
    ([key, text]) => folderOf(key) === folderOf(given.text) && !key.includes('_') && !text.includes('{{'),
  )
  const at = beside.findIndex(([key]) => key === given.text)
  const other = beside[(at + 1) % beside.length]
  return at < 0 || other?.[1] === beside[at]![1] ? [] : [replaced(given, `'${other![0]}'`)]
}

const HANDLER = /^on(Done|Saved|Added|Removed|Made|Deleted|Success)$/
const REFRESH = /^(invalidateQueries|setQueryData|refresh|reload|refetch|setSelected)$/

const handlerLeftOut: Find = (node) => {
  if (ts.isJsxAttribute(node) && HANDLER.test(node.name.getText()))
    return node.getText().endsWith('=> {}}') ? [] : [{ start: node.pos, end: node.end, text: '' }]
  if (ts.isPropertyAssignment(node) && HANDLER.test(node.name.getText()) && ts.isCallExpression(node.parent.parent))
    return node.getText().endsWith('=> {}') ? [] : [withoutProperty(node.parent, node)]
  if (!ts.isExpressionStatement(node)) return []
  const call = ts.isVoidExpression(node.expression) || ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
  return ts.isCallExpression(call) && REFRESH.test(calledName(call)) ? [withoutStatement(node)] : []
}

const permissionNotAsked: Find = (node): Edit[] =>
  ts.isCallExpression(node) && /^(use)?(May|may)(Open)?$/.test(calledName(node)) ? [replaced(node, 'true')] : []

/** Kinds of faults of the console, by the name they are reported by. */
export const consoleKinds: Readonly<Record<string, Find>> = {
  'field not sent': lostField,
  'shown condition inverted': conditionInverted,
  'wrong text': wrongText,
  'success not handled': handlerLeftOut,
  'permission not asked': permissionNotAsked,
}
