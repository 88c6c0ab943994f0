/** Holds the names of the code against `docs/style.md`: words that stand for nothing in particular name nothing here. */
import ts from 'typescript'
import { isGenerated, isTest, lineOf, parsed, sourcesIn, textOf } from './sources.ts'

/** Words of which no name is made. */
const BANNED = new Set(
  (
    'told tell tells held withheld begun began whom stirred veiled veil wish wishes rung rungs furnish furnished gently patiently ' +
    'paced anew unmade'
  ).split(' '),
)
/** Words that are no name by themselves; tests may say what was asked and what was said. */
const BANNED_ALONE = new Set(['known', 'wanted', 'asked', 'said', 'gone'])

/** Standard terms, words that mean what they say, and names in what browsers and terminals have stored or answer to programs. */
const EXEMPT = new Set(['DOOR_HELD_OPEN', 'heldOpen', 'cardsBegunOrEnded', 'alarmsRung', 'alarmsTold', 'tellsLiving'])

const propertyNames = (folder: string, file: string, isNamed: (node: ts.Node) => boolean): string[] => {
  const names: string[] = []
  function look(node: ts.Node): void {
    if (isNamed(node) && ts.isIdentifier((node as ts.PropertyAssignment).name)) names.push((node as ts.PropertyAssignment).name.getText())
    ts.forEachChild(node, look)
  }
  look(parsed(file, textOf(folder, file)))
  return names
}

/** A field of what `z.object` or `.extend` describes. */
const isField = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node) &&
  ts.isCallExpression(node.parent.parent) &&
  /\.(object|strictObject|looseObject|extend|partial|omit|pick)$/.test(node.parent.parent.expression.getText())

/** Names on the wire, which are fields of the contract's schemas, and names of columns: both stay as they are. */
function fixedNames(folder: string): Set<string> {
  return new Set([
    ...sourcesIn(folder, 'packages/contract/src/**/*.ts').flatMap((file) => propertyNames(folder, file, isField)),
    ...sourcesIn(folder, 'apps/server/src/**/tables.generated.ts').flatMap((file) => propertyNames(folder, file, ts.isPropertySignature)),
  ])
}

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const isBad = (name: string, inTest = false): boolean =>
  !EXEMPT.has(name) && ((!inTest && BANNED_ALONE.has(name.toLowerCase())) || wordsOf(name).some((word) => BANNED.has(word)))

/** A name where it is given, not where it is used: what others named is theirs. */
function givenName(node: ts.Node, fixed: ReadonlySet<string>): string | null {
  if (!ts.isIdentifier(node)) return null
  const { parent } = node
  const isProperty =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent))
  // Migrations name columns as the database does.
  if (isProperty && fixed.has(node.text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))) return null
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.name === node ? node.text : null
  const named =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isClassDeclaration(parent)
  return named && parent.name === node ? node.text : null
}

/** Find names made of banned words, as `file:line name`; of files too, as `file`. */
export function dialectIn(folder: string): string[] {
  const files = sourcesIn(folder, '{apps,packages,tests,bench}/**/*.{ts,tsx}').filter((file) => !isGenerated(file))
  const fixed = fixedNames(folder)
  return files.flatMap((file) => {
    const found = isBad(file.replace(/^.*\//, '').replace(/\..*$/, '')) ? [file] : []
    function look(node: ts.Node): void {
      const name = givenName(node, fixed)
      if (name !== null && isBad(name, isTest(file))) found.push(`${file}:${lineOf(node)} ${name}`)
      ts.forEachChild(node, look)
    }
    look(parsed(file, textOf(folder, file)))
    return found
  })
}
