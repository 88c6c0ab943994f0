/** Persons of a park through the calls of the console: whole answers, so that refusals can be asserted. */
import type { InputOf } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import type { Client } from '@gatehouse/dev-env/client'
import type { Made, Site } from '@gatehouse/dev-env/world'

type Fields = InputOf<(typeof peopleCalls)['create']['body']>

/** Return what a form would send without a change. */
export const formOf = (person: Person) => ({
  id: person.id,
  name: person.name,
  workNumber: person.workNumber,
  phone: person.phone,
  email: person.email,
  gender: person.gender as 1 | 2 | 3,
  groupId: person.groupId,
  cardType: person.cardType as 0 | 1 | 2,
  cardNumberFormat: person.cardNumberFormat as 'decimal' | 'hex',
  cardNumber: person.cardNumber,
  idType: person.idType as '',
  idNumber: person.idNumber,
  nationality: person.nationality,
  birthday: person.birthday,
  validFrom: person.validFrom,
  validTo: person.validTo,
  facePhotos: person.facePhotos,
  idPhoto: person.idPhoto,
  registrationPhoto: person.registrationPhoto,
  customFields: person.customFields.map(({ id, value }) => ({ id, value })),
  remark: person.remark,
  kind: person.kind as 'staff' | 'customer' | 'special',
  version: person.version,
})

/** Return builders for a park. Options may be invalid on purpose. */
export function personsOf(site: Site) {
  let group: Promise<Made> | undefined
  const groupId = async (): Promise<string> => (await (group ??= site.personGroup())).id
  const read = (id: string, by: Pick<Client, 'call'> = site) => by.call(peopleCalls.read, { query: { id } })

  return {
    groupId,
    read,
    create: async (options: Record<string, unknown> = {}, by: Pick<Client, 'ask'> = site) =>
      by.ask(peopleCalls.create, { body: { name: 'Ada Lovelace', groupId: await groupId(), ...options } as unknown as Fields }),
    /** Create a person, which must succeed. Return the id. */
    async made(options: Record<string, unknown> = {}): Promise<string> {
      return (
        await site.call(peopleCalls.create, { body: { name: 'Ada Lovelace', groupId: await groupId(), ...options } as unknown as Fields })
      ).id
    },
    change: async (id: string, options: Record<string, unknown> = {}, by: Pick<Client, 'ask' | 'call'> = site) =>
      by.ask(peopleCalls.change, { body: { ...formOf(await read(id, by)), ...options } as unknown as Fields & { id: string } }),
    /** Upload a picture. Return its address. */
    picture: async (file: Uint8Array) => (await site.call(uploadCalls.uploadImage, { body: {}, file })).url,
    /** Upload a photo that is checked and belongs to no person. */
    face: async (file: Uint8Array) => (await site.call(faceCalls.cache, { body: {}, file })).faceId,
  }
}
