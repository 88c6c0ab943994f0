/** Holds that whoever is handed a scope or a session passes on whom its asker may know of: a scope made of a park alone knows of everybody. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../run/program.ts'

/** What a function is handed that says who asks. */
const ASKING = new Set(['scope', 'session', 'viewer', 'asked'])
/** Sessions themselves are made there, and no persons are read. */
const EXCEPT = /\/contexts\/identity\//

const namesOf = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesOf(element.name)))

const isAsked = ({ parameters }: ts.SignatureDeclaration): boolean =>
  parameters.some((parameter) => namesOf(parameter.name).some((name) => ASKING.has(name)))

const isBareScope = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) && node.properties.length === 1 && node.properties[0]!.name?.getText() === 'parkId'

/** Lines at which functions that know who asks make a scope of a park alone, as `file:line`. `inPark` and `seeingAll` are the ways to make one. */
export function bareScopesIn(folder: string): string[] {
  const files = globSync('apps/server/src/contexts/**/*.ts', { cwd: join(ROOT, folder) })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && !EXCEPT.test(file))
    .toSorted()
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, folder, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const found: string[] = []
    function look(node: ts.Node, asked: boolean): void {
      const inside = asked || (ts.isFunctionLike(node) && isAsked(node))
      if (inside && isBareScope(node)) found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
      ts.forEachChild(node, (child) => look(child, inside))
    }
    look(source, false)
    return found
  })
}
