/** Changes of single spans of a source text, derived from its syntax tree, so that the rest of a file stays as it is. */
import ts from 'typescript'

/** Replaces the span from `start` to `end` with `text`. */
export interface Edit {
  start: number
  end: number
  text: string
}

export const replaced = (node: ts.Node, text: string): Edit => ({ start: node.getStart(), end: node.end, text })

/** Remove a property from its object, with the comma that belongs to it. */
export function withoutProperty(object: ts.ObjectLiteralExpression, property: ts.ObjectLiteralElementLike): Edit {
  const { properties } = object
  if (properties.length === 1) return replaced(object, '{}')
  const at = properties.indexOf(property)
  const next = properties[at + 1]
  if (next) return { start: property.pos, end: next.pos, text: '' }
  return { start: properties[at - 1]!.end, end: property.end, text: '' }
}

/** Remove a statement from its block; where it is the only one of an `if` or a loop, replace it with an empty block. */
export const withoutStatement = (statement: ts.Statement): Edit =>
  ts.isBlock(statement.parent) ? { start: statement.pos, end: statement.end, text: '' } : replaced(statement, '{}')

const OPPOSITE: Record<string, string> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>' }

const JOINS = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken])

/** Negate a condition; of several conditions that are joined, the last: a typical mistake. */
export function inverted(condition: ts.Expression): Edit {
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = bare(condition.operand)
    return replaced(condition, (ts.isBinaryExpression(inner) ? condition.operand : inner).getText())
  }
  if (ts.isBinaryExpression(condition)) {
    if (JOINS.has(condition.operatorToken.kind)) return inverted(condition.right)
    const operator = OPPOSITE[condition.operatorToken.getText()]
    if (operator !== undefined) return replaced(condition.operatorToken, operator)
  }
  const isOne = ts.isIdentifier(condition) || ts.isCallExpression(condition) || ts.isPropertyAccessExpression(condition)
  return replaced(condition, isOne ? `!${condition.getText()}` : `!(${bare(condition).getText()})`)
}

/** Return the name of the called function: `announce` of `platform.events.announce(…)`. */
export function calledName({ expression }: ts.CallExpression | ts.NewExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text
  return ts.isIdentifier(expression) ? expression.text : ''
}

/** Return the properties of an object that are listed by name. */
export const namedProperties = (object: ts.ObjectLiteralExpression): (ts.PropertyAssignment | ts.ShorthandPropertyAssignment)[] =>
  object.properties.filter((property) => ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property))

/** Return the value of a property; for `{ name }` the name itself. */
export const valueOf = (property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): ts.Expression =>
  ts.isPropertyAssignment(property) ? property.initializer : property.name

/** Return an expression without the parentheses and types around it. */
export function bare(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression)
    ? bare(expression.expression)
    : expression
}
