/**
 * Checks that a function that receives a scope or a session passes on which persons its caller can see: a scope made of a park alone sees
 * all persons.
 */
import ts from 'typescript'
import { isTest, lineOf, parsed, sourcesIn, textOf } from './sources.ts'

/** Names of parameters that identify the caller. */
const ASKING = new Set(['scope', 'session', 'viewer', 'asked'])
/** Sessions themselves are created there, and no persons are read. */
const EXCEPT = /\/contexts\/identity\//

const namesOf = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesOf(element.name)))

const isAsked = ({ parameters }: ts.SignatureDeclaration): boolean =>
  parameters.some((parameter) => namesOf(parameter.name).some((name) => ASKING.has(name)))

/** Whether an object is a row for a table of parks rather than a scope. */
const isRow = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression) && parent.expression.name.text === 'values'

const isBareScope = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) && node.properties.length === 1 && node.properties[0]!.name?.getText() === 'parkId' && !isRow(node)

/**
 * Find lines at which functions that know their caller create a scope of a park alone, as `file:line`. Use `inPark` and `seeingAll`
 * instead.
 */
export function bareScopesIn(folder: string): string[] {
  const files = sourcesIn(folder, 'apps/server/src/contexts/**/*.ts').filter((file) => !isTest(file) && !EXCEPT.test(file))
  return files.flatMap((file) => {
    const found: string[] = []
    function look(node: ts.Node, asked: boolean): void {
      const inside = asked || (ts.isFunctionLike(node) && isAsked(node))
      if (inside && isBareScope(node)) found.push(`${file}:${lineOf(node)}`)
      ts.forEachChild(node, (child) => look(child, inside))
    }
    look(parsed(file, textOf(folder, file)), false)
    return found
  })
}
