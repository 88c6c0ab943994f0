/**
 * Environment variables parsed by zod. The message of a schema either continues after the name of its variable ("must be …"), or is a
 * whole sentence that names it and starts with a capital letter. An empty variable counts as not set.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

/** All invalid settings, each in a sentence that names the variable and what is allowed. */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid'

  constructor(sentences: readonly string[]) {
    super(
      sentences.length === 1 ? sentences[0] : `${sentences.length} settings make no sense:\n${sentences.map((s) => `  ${s}`).join('\n')}`,
    )
  }
}

/** Return a message that repeats the value, which must not be secret. @param what completes "NAME must be …" */
const expected = (what: string) => ({ error: ({ input }: { input?: unknown }) => `must be ${what}, not "${String(input)}"` })

/** A text of any form. */
export const text = () => z.string()

/** A text of a certain form. @param what completes "NAME must be …" */
export const textLike = (what: string, isValid: (value: string) => boolean) => z.string().refine(isValid, expected(what))

/** A number within bounds. @param what completes "NAME must be …" */
export const number = (what: string, [least, most]: readonly [number, number]) =>
  textLike(`${what} from ${least} to ${most}`, (value) => Number(value) >= least && Number(value) <= most).transform(Number)

/** A whole number within bounds. @param what completes "NAME must be …" */
export const wholeNumber = (what: string, [least, most]: readonly [number, number]) =>
  textLike(
    `${what} from ${least} to ${most}`,
    (value) => Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most,
  ).transform(Number)

/** A TCP port; 0 for any free one. */
export const portNumber = () => wholeNumber('a port number', [0, 65_535])

/** One of several words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, expected(new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)))
}

/** `on` or `off`. */
export const onOff = () => oneOf(['on', 'off']).transform((value) => value === 'on')

/** A list separated by commas. */
export const listOf = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/** Return a transformation by `read`, whose error becomes the message of the value. */
export function readBy<Input, Output>(read: (value: Input) => Output) {
  return (value: Input, context: z.RefinementCtx<Input>): Output => {
    try {
      return read(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  }
}

/** Return the content of a file. @throws Error with the end of a sentence that starts with the name of the variable */
export function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`names ${path}, which cannot be read`, { cause: error })
  }
}

/** The content of the file that a variable names. */
export const fileContent = () => z.string().transform(readBy(contentOf))

type Values<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>
type Texts = Partial<Record<string, string>>

/** Metadata key of a variable: what an empty file means, where that is not a mistake. */
export const EMPTY_FILE = 'emptyFile'

/** Set `NAME` to the content of the file that `NAME_FILE` names, unless `NAME` is set. @returns a sentence for each file that has none */
function readSecretFiles(variables: z.ZodRawShape, set: Texts): string[] {
  const names = Object.keys(variables)
  const sentences: string[] = []
  for (const name of names) {
    const fileName = `${name}_FILE`
    const path = set[fileName]
    if (set[name] !== undefined || path === undefined || !names.includes(fileName)) continue
    try {
      const value = contentOf(path).trim()
      const mayBeEmpty = (variables[name] as z.ZodType).meta()?.[EMPTY_FILE] === 'not set'
      if (value === '' && !mayBeEmpty) throw new Error(`names ${path}, which is empty`)
      if (value !== '') set[name] = value
    } catch (error) {
      sentences.push(`${fileName} ${(error as Error).message}`)
    }
  }
  return sentences
}

/**
 * Return the values of variables.
 * @param variables a field `NAME_FILE` beside a field `NAME` names a file with the value of `NAME`, which is read if `NAME` is not set
 * @param contradictions returns sentences about variables that exclude each other, from the texts of those that are set
 * @throws SettingsInvalid with a sentence for each invalid value
 */
export function readEnvironment<Variables extends z.ZodRawShape>(
  variables: Variables,
  environment: Environment,
  contradictions: (set: Partial<Record<keyof Variables, string>>) => Iterable<string> = () => [],
): Values<Variables> {
  const names = Object.keys(variables)
  const set: Texts = {}
  for (const name of names) if (environment[name]) set[name] = environment[name]
  const sentences = readSecretFiles(variables, set)
  const { data, error } = z.object(variables).safeParse(set)
  for (const { path, message } of error?.issues ?? []) {
    sentences.push(/^[a-z]/.test(message) ? `${path.join('.')} ${message}` : message)
  }
  sentences.push(...contradictions(set as Partial<Record<keyof Variables, string>>))
  if (data === undefined || sentences.length > 0) throw new SettingsInvalid(sentences)
  return data
}
