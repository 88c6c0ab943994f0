/** Source files for the checks of this folder. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../run/program.ts'

const NOT_OURS = /(^|\/)(node_modules|dist)\/|^tests\/architecture\/fixtures\//

/** Return whether a file is a test, or exists for tests. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|^tests\/|\/testing\//.test(file)
export const isGenerated = (file: string): boolean => file.endsWith('.generated.ts')

/** Return the files of a tree that match a pattern, sorted by name, without build output and installed packages. */
export const sourcesIn = (folder: string, pattern: string | string[]): string[] =>
  globSync(pattern, { cwd: join(ROOT, folder) })
    .filter((file) => !NOT_OURS.test(file))
    .toSorted()

export const textOf = (folder: string, file: string): string => readFileSync(join(ROOT, folder, file), 'utf8')

export const parsed = (file: string, text: string): ts.SourceFile => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

/** Return the line of a node, from 1. */
export const lineOf = (node: ts.Node): number => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
