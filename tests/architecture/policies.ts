/**
 * Checks that permissions beyond the declaration of a call are decided in the `policy.ts` of an area, where they can be read in one place,
 * and that no object is turned into a session by assertion.
 */
import { basename } from 'node:path'
import ts from 'typescript'
import { isTest, lineOf, parsed, sourcesIn, textOf } from './sources.ts'

/** Creates the sessions themselves. */
const MAKES_SESSIONS = 'apps/server/src/contexts/identity/session-making.ts'
/** Modules that compare the declaration of a call with a session. */
const DECIDING = new Set(['@gatehouse/contract/policy', '@gatehouse/contract/conditions'])

const nameOf = (node: ts.Node): string | undefined =>
  ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : undefined

/** `permissions.has(…)`, of any object. */
const asksPermission = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'has' &&
  nameOf(node.expression.expression) === 'permissions'

/** `session.circumstances`, or `{ circumstances }` of a session. */
const readsCircumstances = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node) && node.name.text === 'circumstances') ||
  (ts.isBindingElement(node) && nameOf(node.propertyName ?? node.name) === 'circumstances')

const importsDecisions = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) &&
  ts.isStringLiteral(node.moduleSpecifier) &&
  DECIDING.has(node.moduleSpecifier.text) &&
  node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword

const assertsSession = (node: ts.Node): boolean =>
  ts.isAsExpression(node) && ts.isTypeReferenceNode(node.type) && nameOf(node.type.typeName) === 'Session'

/** Find lines that break a rule, as `file:line`. */
function linesIn(folder: string, files: readonly string[], isBroken: (node: ts.Node) => boolean): string[] {
  return files.flatMap((file) => {
    const found: string[] = []
    function look(node: ts.Node): void {
      if (isBroken(node)) found.push(`${file}:${lineOf(node)}`)
      ts.forEachChild(node, look)
    }
    look(parsed(file, textOf(folder, file)))
    return [...new Set(found)]
  })
}

/** Find where areas decide by permissions or circumstances outside their `policy.ts`, as `file:line`. */
export function scatteredDecisionsIn(folder: string): string[] {
  const files = sourcesIn(folder, 'apps/server/src/contexts/**/*.ts').filter(
    (file) => !isTest(file) && basename(file) !== 'policy.ts' && file !== MAKES_SESSIONS,
  )
  return linesIn(folder, files, (node) => asksPermission(node) || readsCircumstances(node) || importsDecisions(node))
}

/** Find where the server asserts that something is a session, as `file:line`. */
export function assertedSessionsIn(folder: string): string[] {
  return linesIn(folder, sourcesIn(folder, 'apps/server/src/**/*.ts'), assertsSession)
}
