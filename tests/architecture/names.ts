/** Checks the names of the code against `docs/style.md`: vague words are not allowed in names. */
import ts from 'typescript'
import { isGenerated, isTest, lineOf, parsed, sourcesIn, textOf } from './sources.ts'

/** Words that no name may contain. */
const BANNED = new Set(
  (
    'told tell tells held withheld begun began whom stirred veiled veil wish wishes rung rungs furnish furnished gently patiently ' +
    'paced anew unmade'
  ).split(' '),
)
/** Words that are no name by themselves; tests may use `asked` and `said`. */
const BANNED_ALONE = new Set(['known', 'wanted', 'asked', 'said', 'gone'])

/** Standard terms, words in their plain meaning, and names that browsers and terminals have stored or that programs rely on. */
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

/** Names on the wire, which are fields of the contract's schemas, and names of columns: both are fixed. */
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

/** Return the name that a node declares; null where the node uses a name, which was chosen elsewhere. */
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

/** Find names that contain banned words, as `file:line name`; names of files as `file`. */
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
