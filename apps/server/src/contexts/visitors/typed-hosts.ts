/** Hosts as visitors type them. */
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'

interface TypedHost {
  name: string
  number?: string | null | undefined
}

/** More namesakes than this are not told apart. */
const NAMESAKES_MAX = 50

const plain = (text: string): string => text.trim().toLowerCase()

/**
 * Return the one enabled member of staff who has this name and, if one is typed, this phone or work number; null for none and for several.
 */
export async function findTypedHost(
  { people }: Pick<VisitorsDependencies, 'people'>,
  scope: Scope,
  { name, number }: TypedHost,
): Promise<string | null> {
  const { content } = await people.list(scope, { name: name.trim(), kind: 'staff', status: 1, page: 1, size: NAMESAKES_MAX })
  const named = content.filter((person) => plain(person.name) === plain(name))
  const typed = plain(number ?? '')
  const meant = typed === '' ? named : named.filter((one) => one.phone === typed || plain(one.workNumber) === typed)
  return meant.length === 1 ? meant[0]!.id : null
}
