/** Persons, groups, contacts and photographs as the specification's own calls make them. */
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import type { Ground, Json } from './specified.ts'

type By = Pick<Ground, 'done'>

let made = 0
/** Another number each time, for what must be unique in a park. */
export const nextNumber = (): number => ++made

/** A file as the part `file` of a form. */
export function fileForm(bytes: Uint8Array, name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

/** A photograph that was checked. @param variant another one of the same person */
export async function cachedFace({ done }: By, seed: string, variant = 0): Promise<string> {
  const { faceId } = await done('biz', 'POST', '/face/cache', fileForm(await portraitVariant(seed, variant), 'face.jpg'))
  return faceId as string
}

export async function madeGroup({ done }: By, options: Json = {}): Promise<{ id: string; name: string }> {
  const { name = `Team_${nextNumber()}` } = options
  const { id } = await done('biz', 'POST', '/person/group', { type: 1, ...options, name })
  return { id: id as string, name: name as string }
}

/** Somebody in a group, a new one unless another is wished. */
export async function madePerson(ground: By, options: Json = {}): Promise<{ id: string; name: string; groupId: string }> {
  const { name = `Person ${nextNumber()}`, groupId = (await madeGroup(ground)).id } = options
  const { id } = await ground.done('biz', 'POST', '/person/base', { ...options, name, groupId })
  return { id: id as string, name: name as string, groupId: groupId as string }
}

export const personById = ({ done }: By, id: string): Promise<Json> => done('biz', 'GET', `/person/base?id=${id}`)

/** The groups of a tree, each by itself. */
export const flat = (tree: readonly Json[]): Json[] => tree.flatMap((node) => [node, ...flat(node['children'] as Json[])])
