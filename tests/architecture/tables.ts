/** Checks that the statements of an area name its own tables only: data of another area is read through that area. */
import ts from 'typescript'
import { snakeCase } from '@gatehouse/server/platform/database/names'
import { isTest, parsed, sourcesIn, textOf } from './sources.ts'

const SOURCES = 'apps/server/src/{contexts,platform,gateway,realtime}/**/*.ts'
/** Files that may contain a migration, which concerns the database as a whole at that time. */
const MIGRATION = /(migration|schema|indexes)\.ts$/
/** SQL keywords that are followed by a table. */
const NAMED_IN_SQL = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY|USING)\s+(?:ONLY\s+)?([a-z_]+)\b/g
/** Methods of queries whose first argument is a table. */
const NAMED_IN_CALLS = /^(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|rightJoin|using|from|table)$/

/** Tables whose first migration is in another area: migrations stay where they were written. */
const HANDED_OVER: Readonly<Record<string, string>> = {
  access_record: 'records',
  device_epoch: 'records',
  unstorable_record: 'records',
  passage_backlog: 'records',
  picture_retention: 'records',
}
/** What a caller can see is a condition in the statements of every area. */
const SIGHT = 'apps/server/src/platform/session/sight.ts'

const areaOf = (file: string): string => {
  const [, folder, name] = /^apps\/server\/src\/(\w+)\/(\w+)/.exec(file) ?? []
  // The logs are written by the platform and read by the area of the same name.
  return folder === 'contexts' || name === 'audit' ? name! : folder!
}

/** Return the area whose migrations create each table. */
function ownersIn(files: readonly string[], read: (file: string) => string): Map<string, string> {
  const made = files.flatMap((file) =>
    [...read(file).matchAll(/CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/g)].map(([, table]) => [table!, areaOf(file)] as const),
  )
  return new Map([...made, ...Object.entries(HANDED_OVER)])
}

const textsIn = (node: ts.Node): ts.StringLiteral[] => {
  const texts: ts.StringLiteral[] = []
  const look = (inner: ts.Node): void => void (ts.isStringLiteral(inner) ? texts.push(inner) : ts.forEachChild(inner, look))
  look(node)
  return texts
}

/** Return the tables that a file names in its statements, with their lines. */
function namedIn(file: string, text: string): { table: string; line: number }[] {
  const source = parsed(file, text)
  const named: { table: string; line: number }[] = []
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  function look(node: ts.Node): void {
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isNoSubstitutionTemplateLiteral(node))
      for (const { 1: table, index } of node.text.matchAll(NAMED_IN_SQL))
        named.push({ table: table!, line: lineOf(node.getStart() + index) })
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && NAMED_IN_CALLS.test(node.expression.name.text)) {
      const [first] = node.arguments
      const texts = first === undefined ? [] : ts.isArrayLiteralExpression(first) ? [...first.elements] : [first]
      for (const one of texts)
        if (ts.isStringLiteral(one)) named.push({ table: snakeCase(one.text.split(' ')[0]!), line: lineOf(one.getStart()) })
    }
    // Lists of tables that a loop iterates over.
    if (
      ts.isForOfStatement(node) &&
      ts.isVariableDeclarationList(node.initializer) &&
      node.initializer.declarations[0]!.name.getText() === 'table'
    )
      for (const one of textsIn(node.expression)) named.push({ table: snakeCase(one.text), line: lineOf(one.getStart()) })
    ts.forEachChild(node, look)
  }
  look(source)
  return named
}

const filesIn = (folder: string): string[] => sourcesIn(folder, SOURCES).filter((file) => !isTest(file))

/** Return the area of each table: a folder of `contexts`, or of the server itself. @param folder a tree that contains the server */
export const tableOwners = (folder: string): Map<string, string> => ownersIn(filesIn(folder), (file) => textOf(folder, file))

/** Find statements about tables of other areas, as `file:line table of area`. @param folder a tree that contains the server */
export function foreignTablesIn(folder: string): string[] {
  const read = (file: string): string => textOf(folder, file)
  const files = filesIn(folder)
  const owners = ownersIn(files, read)
  return files
    .filter((file) => !MIGRATION.test(file) && file !== SIGHT)
    .flatMap((file) =>
      namedIn(file, read(file)).flatMap(({ table, line }) => {
        const owner = owners.get(table)
        return owner === undefined || owner === areaOf(file) ? [] : [`${file}:${line} ${table} of ${owner}`]
      }),
    )
}
