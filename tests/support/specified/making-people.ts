/** Persons, groups, contacts and photos, created by the specification's own calls. */
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import type { Ground, Json } from './specified.ts'

type By = Pick<Ground, 'done'>

let made = 0
/** Return another number each time, for what must be unique in a park. */
export const nextNumber = (): number => ++made

/** Return a file as the part `file` of a form. */
export function fileForm(bytes: Uint8Array, name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

/** Upload a photo that is checked. @param variant another one of the same person */
export async function cachedFace({ done }: By, seed: string, variant = 0): Promise<string> {
  const { faceId } = await done('biz', 'POST', '/face/cache', fileForm(await portraitVariant(seed, variant), 'face.jpg'))
  return faceId as string
}

export async function madeGroup({ done }: By, options: Json = {}): Promise<{ id: string; name: string }> {
  const { name = `Team_${nextNumber()}` } = options
  const { id } = await done('biz', 'POST', '/person/group', { type: 1, ...options, name })
  return { id: id as string, name: name as string }
}

/** Create a person in a group, a new one unless given. */
export async function madePerson(ground: By, options: Json = {}): Promise<{ id: string; name: string; groupId: string }> {
  const { name = `Person ${nextNumber()}`, groupId = (await madeGroup(ground)).id } = options
  const { id } = await ground.done('biz', 'POST', '/person/base', { ...options, name, groupId })
  return { id: id as string, name: name as string, groupId: groupId as string }
}

export const personById = ({ done }: By, id: string): Promise<Json> => done('biz', 'GET', `/person/base?id=${id}`)

/** Return the groups of a tree as a flat list. */
export const flat = (tree: readonly Json[]): Json[] => tree.flatMap((node) => [node, ...flat(node['children'] as Json[])])
