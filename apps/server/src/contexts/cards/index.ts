/** Cards, card keys and the machines for them: the interface of the context. */
import { defineContext, type Context } from '../../platform/context.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, type DevicesService, deviceLine } from '../devices/index.ts'
import { organisationContext, type OrganisationService } from '../organisation/index.ts'
import { peopleContext, personsDeleted, type PeopleService } from '../people/index.ts'
import { cardHandlers } from './calls.ts'
import * as data from './data.ts'
import { createIssuing } from './issuing.ts'
import { createKeys } from './keys.ts'
import { createPalms } from './palms.ts'
import { createPalmTemplates, type PalmTemplates } from './palm-templates.ts'
import { createCardPasswords, type CardPasswords } from './passwords.ts'
import { createReaders } from './readers.ts'
import { cardsMigrations } from './schema.ts'
import { createWrites } from './writes.ts'

export { cardsChanged, palmsChanged } from './events.ts'
export type { PalmTemplates } from './palm-templates.ts'
export type { CardPasswords } from './passwords.ts'

export interface CardsNeeds {
  devices: DevicesService
  people: PeopleService
  organisation: OrganisationService
  commands: () => DeviceCommands
}

export interface CardsContext extends Context {
  passwords: CardPasswords
  palmTemplates: PalmTemplates
  /** Put cards in force whose period has started, and end those whose period is over; return how many. */
  keepDates(): Promise<number>
}

export const cardsContext = defineContext({
  name: 'cards',
  uses: { devices: devicesContext, people: peopleContext, organisation: organisationContext },
  create(platform, { devices: { service: devices }, people: { service: people }, organisation: { service: organisation } }): CardsContext {
    const commands = () => platform.extensions.one(deviceLine)
    const db = platform.db
    const readers = createReaders({ devices, commands })
    const keys = createKeys(platform)
    const writes = createWrites(platform, keys, readers)
    const issuing = createIssuing(platform, readers, { people, organisation })
    const palms = createPalms(platform, readers, people)

    platform.events.consume({
      name: 'cards.forget',
      mode: 'once',
      handlers: [
        on(personsDeleted, async ({ parkId, payload: { personIds } }) => {
          await platform.transaction(async (tx) => {
            await issuing.forgetPersons(tx, { parkId }, personIds)
            await palms.forgetPersons(tx, { parkId }, personIds)
          })
        }),
      ],
    })
    return {
      passwords: createCardPasswords(platform),
      palmTemplates: createPalmTemplates(platform),
      calls: cardHandlers({ keys, readers, writes, issuing, palms }),
      migrations: cardsMigrations,
      keepDates: issuing.keepDates,
      jobs: [
        {
          name: 'cards.keepDates',
          schedule: '*/5 * * * *',
          run: async () => ({ outcome: 'success', counts: { cardsBegunOrEnded: await issuing.keepDates() } }),
        },
        {
          name: 'cards.dropUnshown',
          schedule: '43 * * * *',
          run: async () => ({ outcome: 'success', counts: { palmsUnshown: await palms.dropUnshown() } }),
        },
      ],
      holder: {
        place: 'cards',
        async count(scope, persons) {
          const personIds = persons.map(({ id }) => id)
          return (await data.findCardIdsOf(scope, db, personIds)).length + (await data.findPalms(scope, db, { personIds })).length
        },
        async forget(tx, scope, persons) {
          const personIds = persons.map(({ id }) => id)
          const cards = await issuing.forgetPersons(tx, scope, personIds)
          const { count, fileIds } = await palms.forgetPersons(tx, scope, personIds)
          return { count: cards + count, fileIds }
        },
      },
      async erasePark(tx, scope) {
        const [cardKeys, cardWrites] = [await keys.erasePark(tx, scope), await writes.erasePark(tx, scope)]
        const { cards, palms: pictures, fileIds } = await data.deleteOfPark(scope, tx)
        await platform.storage.release(tx, scope, fileIds)
        return { cardKeys, cardWrites, cards, palms: pictures }
      },
    }
  },
})
