import { customFieldInputType, visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import type { CallCase, Ground } from './case.ts'
import { hiddenDocument } from './visitors-documents.ts'

const HOUR = 3_600_000
let samples = 0
const phone = (): string => `1377${String(++samples).padStart(7, '0')}`

const link = ({ site }: Ground, body: { kind: 'park' | 'invitation' | 'host'; visitId?: string }) =>
  site.call(visitorLinkCalls.createLink, { body })
const tokenIn = (url: string): string => url.slice(url.indexOf('.', url.indexOf('#')) + 1)
const parkToken = async (ground: Ground): Promise<string> => tokenIn((await link(ground, { kind: 'park' })).url)

const reservation = ({ world }: Ground) => ({
  key: crypto.randomUUID(),
  name: `Visitor ${++samples}`,
  phone: phone(),
  reason: visitReason.business,
  visitTime: world.clock.now() + HOUR,
  visitEndTime: world.clock.now() + 2 * HOUR,
})

/** Return an own field of the form of visits, a text; added where there is none. */
async function textField({ site }: Ground): Promise<string> {
  const { fields } = await site.call(visitorConfigurationCalls.readForm, {})
  const present = fields.find(({ inputType, required }) => inputType === customFieldInputType.input && !required)
  if (present !== undefined) return present.id
  const added = { displayName: 'Company', fieldName: `company${++samples}`, inputType: customFieldInputType.input }
  const { fields: after } = await site.call(visitorConfigurationCalls.changeForm, { body: { fields: [...fields, added] } })
  return after.at(-1)!.id
}

/** Reserve a visit through a link. Return the token of its page. */
const visitToken = async (ground: Ground): Promise<string> =>
  (await ground.world.client.as(null).call(appointmentCalls.submit, { linkToken: await parkToken(ground), body: reservation(ground) }))
    .token

/** Make a visit that waits. Visitors of the park of a case pass no door, so no rule has to say where they pass. */
async function pendingVisit(ground: Ground): Promise<string> {
  await ground.site.call(visitorConfigurationCalls.change, { body: { needAuthorisation: false } })
  const { key: _, ...fields } = reservation(ground)
  return (await ground.site.call(visitorCalls.create, { body: { ...fields, source: visitorSource.reservation } })).id
}
const hostToken = async (ground: Ground): Promise<string> =>
  tokenIn((await link(ground, { kind: 'host', visitId: await pendingVisit(ground) })).url)

const ofPark = { foreign: false, given: async (ground: Ground) => ({ linkToken: await parkToken(ground) }) }
const ofVisit = { foreign: false, given: async (ground: Ground) => ({ linkToken: await visitToken(ground) }) }
const ofHost = { foreign: false, given: async (ground: Ground) => ({ linkToken: await hostToken(ground), status: 5 }) }

export const cases: readonly CallCase[] = [
  {
    call: visitorLinkCalls.createLink,
    given: async (ground) => ({ kind: 'host', visitId: await pendingVisit(ground) }),
  },
  { call: visitorLinkCalls.revokeLink, given: async (ground) => ({ id: (await link(ground, { kind: 'park' })).id }) },
  // The link itself determines the park and the visit.
  { call: appointmentCalls.open, ...ofPark },
  { call: appointmentCalls.photo, ...ofPark },
  {
    call: appointmentCalls.submit,
    foreign: false,
    // `id` names an own field of the form.
    given: async (ground) => ({
      linkToken: await parkToken(ground),
      ...reservation(ground),
      id: await textField(ground),
      documentId: await hiddenDocument(ground),
    }),
  },
  { call: appointmentCalls.status, ...ofVisit },
  { call: appointmentCalls.cancel, ...ofVisit },
  { call: appointmentCalls.hostOpen, foreign: false, given: async (ground) => ({ linkToken: await hostToken(ground) }) },
  { call: appointmentCalls.hostAccept, ...ofHost },
  { call: appointmentCalls.hostRefuse, ...ofHost },
]
