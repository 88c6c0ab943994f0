/** Kinds of faults of the server and the contract. */
import { businessCodes } from '@gatehouse/contract/errors'
import ts from 'typescript'
import { bare, calledName, inverted, namedProperties, replaced, valueOf, withoutProperty, withoutStatement, type Edit } from './edits.ts'

/** Find the faults of its kind that a node can have. */
export type Find = (node: ts.Node) => Edit[]

/** Values a call may declare that are no permission, see `Permission` of the contract. */
const NO_PERMISSION = new Set(['public', 'self', 'basic', 'device'])

const permissionLeftOut: Find = (node) => {
  if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'permission' || !ts.isStringLiteral(node.initializer)) return []
  const beside = node.parent.properties.map((property) => property.name?.getText())
  // Defaults of calls name the service, calls the method; a table of links names neither.
  if (!beside.includes('service') && !beside.includes('method')) return []
  return NO_PERMISSION.has(node.initializer.text) ? [] : [replaced(node.initializer, `'self'`)]
}

const SCOPE_COLUMN = /(^|\.)(parkId|organisationId|areaId)$/
/** A separate condition on one of them in SQL: what precedes and follows it. */
const IN_SQL =
  /(?<=\s(?:AND|WHERE|ON)\s)(?:\w+\.)?(?:park_id|organisation_id|area_id) = (?:ANY\()?\$\{[^{}]*\}(?:::\w+(?:\[\])?)?\)?(?=[\s)`])/g

/** Return the chain of calls that this call is part of. */
function chainOf(call: ts.CallExpression): string {
  let chain: ts.Node = call
  while (ts.isPropertyAccessExpression(chain.parent) && ts.isCallExpression(chain.parent.parent)) chain = chain.parent.parent
  return chain.getText()
}

/** Whether a chain changes rows by their ids and returns nothing: their scope was checked before. */
function changesKnownRows(chain: string): boolean {
  const isById = /\.where\('(\w+\.)?(id|\w+Id)'/.test(chain.replaceAll(/'(\w+\.)?(park|organisation|area)Id'/g, "''"))
  return isById && /\.(updateTable|deleteFrom)\(/.test(chain) && chain.endsWith('.execute()') && !chain.includes('.returning(')
}

const scopeLeftOut: Find = (node) => {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && calledName(node) === 'where') {
    const [column] = node.arguments
    if (!column || !ts.isStringLiteral(column) || !SCOPE_COLUMN.test(column.text) || changesKnownRows(chainOf(node))) return []
    return [{ start: node.expression.expression.end, end: node.end, text: '' }]
  }
  if (!ts.isTaggedTemplateExpression(node) || !node.tag.getText().startsWith('sql')) return []
  const template = node.template.getText()
  return [...template.matchAll(IN_SQL)].map((match) => {
    const before = /\s+AND\s+$/.exec(template.slice(0, match.index))?.[0].length ?? 0
    const after = before > 0 ? 0 : (/^\s+AND\s+/.exec(template.slice(match.index + match[0].length))?.[0].length ?? 0)
    const start = node.template.getStart() + match.index
    return { start: start - before, end: start + match[0].length + after, text: before + after > 0 ? '' : 'true' }
  })
}

const CODES = Object.keys(businessCodes).map(Number)
const familyOf = (code: number | undefined): number => Math.floor((code ?? 0) / 1_000)

const wrongCode: Find = (node) => {
  if (!(ts.isCallExpression(node) || ts.isNewExpression(node)) || !/^(refuse|refusedAs|Refusal)$/.test(calledName(node))) return []
  const [given] = node.arguments ?? []
  if (!given || !ts.isNumericLiteral(given)) return []
  const at = CODES.indexOf(Number(given.text))
  const other = [CODES[at + 1], CODES[at - 1]].find((code) => familyOf(code) === familyOf(CODES[at]))
  return at < 0 || other === undefined ? [] : [replaced(given, String(other))]
}

/**
 * Return the properties of an object that make a difference: not empty ones, nor those that repeat the request or that a spread beside them
 * provides anyway.
 */
function lostProperties(object: ts.ObjectLiteralExpression): Edit[] {
  const spreads = object.properties.filter(ts.isSpreadAssignment).map(({ expression }) => expression.getText())
  const matters = (name: string, value: string): boolean =>
    !/^(id|parkId|page|size)$/.test(name) && !/^(null|undefined)$/.test(value) && !spreads.some((spread) => value === `${spread}.${name}`)
  return namedProperties(object)
    .filter((property) => matters(property.name.getText(), bare(valueOf(property)).getText()))
    .map((property) => withoutProperty(object, property))
}

/**
 * Properties of an object that an arrow function or a `return` maps from something else; a service, which has functions, does not count.
 */
export const lostInMapping: Find = (node) => {
  if (!ts.isObjectLiteralExpression(node) || node.properties.length < 3) return []
  const outside = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent
  const isMapped = (ts.isArrowFunction(outside) && outside.parameters.length > 0) || ts.isReturnStatement(outside)
  const values = namedProperties(node).map((property) => bare(valueOf(property)))
  const isService = node.properties.some(ts.isMethodDeclaration) || values.some(ts.isArrowFunction)
  return isMapped && !isService && values.filter(ts.isPropertyAccessExpression).length >= 2 ? lostProperties(node) : []
}

const lostField: Find = (node) => {
  if (!ts.isCallExpression(node) || !/^(values|set)$/.test(calledName(node))) return lostInMapping(node)
  const [row] = node.arguments
  return row && ts.isObjectLiteralExpression(row) && row.properties.length > 1 ? lostProperties(row) : []
}

/** Without such a guard nothing works at all: that its loss is detected shows nothing about the tests. */
const PLAIN_GUARD = /^!?[\w.?!]+( (===|!==|==|!=) (undefined|null)|\.(length|size) (===|!==|>) 0)$/

const conditionInverted: Find = (node) => {
  if (!ts.isIfStatement(node) || node.elseStatement || PLAIN_GUARD.test(node.expression.getText())) return []
  const { thenStatement: then } = node
  const [only] = ts.isBlock(then) && then.statements.length === 1 ? then.statements : [then]
  const refuses = ts.isExpressionStatement(only!) && only.getText().startsWith('refuse(')
  return refuses || ts.isThrowStatement(only!) || ts.isReturnStatement(only!) ? [inverted(node.expression)] : []
}

const BOUND = /^([1-9][\d_]*|[A-Z][A-Z\d_]+)$/
const MOVED: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
/** A limit that changes by a millisecond makes no noticeable difference. */
const TIME = /_MS\b|At\b|now|clock|since/i

const limitMoved: Find = (node) => {
  if (ts.isCallExpression(node) && /^(min|max)$/.test(calledName(node)) && !/^Math\b/.test(node.getText())) {
    const [bound] = node.arguments
    // Optional fields are filters: the maximum length of a search text is not a rule.
    if (!bound || !BOUND.test(bound.getText()) || chainOf(node).endsWith('.optional()')) return []
    const step = calledName(node) === 'max' ? 1 : -1
    const number = Number(bound.getText().replaceAll('_', ''))
    return [replaced(bound, Number.isNaN(number) ? `${bound.getText()} ${step > 0 ? '+' : '-'} 1` : String(number + step))]
  }
  if (!ts.isBinaryExpression(node) || TIME.test(node.getText()) || ts.isForStatement(node.parent)) return []
  const operator = MOVED[node.operatorToken.getText()]
  const isBounded = BOUND.test(node.right.getText()) || BOUND.test(node.left.getText())
  return operator !== undefined && isBounded ? [replaced(node.operatorToken, operator)] : []
}

/** Calls with side effects. Locks are not among them: only a race shows that one is missing. */
const EFFECTS = [
  'announce',
  'note',
  'forget',
  'erase',
  'release',
  'keep',
  'discard',
  'change',
  'reload',
  'refresh',
  'revoke',
  'reachChanged',
  'publish',
  'send',
  'tell',
  'assign',
  'save',
  'replace',
  'insert',
  'update',
  'delete',
  'remove',
  'put',
  'assert',
  'demand',
]
const EFFECT = new RegExp(`^(${EFFECTS.join('|')})(?![a-z])|^(changed|announceAll|noteAll)$`)

const effectLeftOut: Find = (node) => {
  if (!ts.isExpressionStatement(node)) return []
  const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
  if (!ts.isCallExpression(call) || !EFFECT.test(calledName(call)) || call.getText().includes('=> {')) return []
  // The operation log is written when the call ends; everything else is awaited.
  return call !== node.expression || /\baudit\.note\(/.test(call.getText()) ? [withoutStatement(node)] : []
}

/** Kinds of faults of the server, by the name they are reported by. */
export const serverKinds: Readonly<Record<string, Find>> = {
  'permission left out': permissionLeftOut,
  'scope left out': scopeLeftOut,
  'wrong code': wrongCode,
  'lost field': lostField,
  'condition inverted': conditionInverted,
  'limit moved': limitMoved,
  'effect left out': effectLeftOut,
}
