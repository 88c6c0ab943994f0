/** Handlers of links and applications. */
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { handler, linkHandler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PeopleService } from '../people/index.ts'
import type { Applications, ApplicationNeeds } from './applications-types.ts'
import { countApplications } from './data.ts'
import type { Decisions } from './decisions.ts'
import type { Links } from './links.ts'

interface Parts {
  links: Links
  applications: Applications
  decisions: Decisions
  people: PeopleService
  organisation: OrganisationService
  consent: ApplicationNeeds['consent']
  /** Return the number of photos that the park requests of each person. */
  photosWanted(scope: Scope): number
}

export function enrolmentHandlers(
  platform: Platform,
  { links, applications, decisions, people, organisation, consent, photosWanted }: Parts,
): MountedCall[] {
  return [
    handler(enrolmentCalls.list, ({ scope, query }) => applications.list(scope, query)),
    handler(enrolmentCalls.summary, ({ scope }) => countApplications(scope, platform.db)),
    handler(enrolmentCalls.decide, ({ scope, session, body, language }) => decisions.decide(scope, session, body, language)),
    handler(enrolmentCalls.apply, async ({ scope, body }) => ({ id: await applications.apply(scope, body) })),
    handler(enrolmentCalls.links, ({ scope, query }) => links.list(scope, query)),
    handler(enrolmentCalls.createLink, ({ scope, body, origin }) => links.create(scope, body, origin)),
    handler(enrolmentCalls.revokeLink, async ({ scope, params: { id } }) => {
      await links.revoke(scope, id)
      return { id }
    }),
    handler(enrolmentCalls.open, async ({ body, ip, language }) => {
      const link = await links.opened(body.token, ip)
      const scope = { parkId: link.parkId }
      const [person] = link.personId === null ? [] : await people.describe(scope, [link.personId])
      const { required, text } = consent(scope, language)
      return {
        parkName: organisation.park(scope).name,
        personName: person?.name ?? '',
        consentText: text,
        consentRequired: required,
        photosWanted: photosWanted(scope),
        expiresAt: link.expiresAt,
      }
    }),
    linkHandler(enrolmentCalls.submit, links.opened, async ({ link, body, file, ip }) => {
      await links.admit(link, ip)
      return { id: await applications.submit(link, body, file?.bytes ?? null) }
    }),
    linkHandler(enrolmentCalls.submitSecond, links.opened, async ({ link, body, file, ip }) => {
      await links.admit(link, ip)
      return { id: await applications.submitSecond(link, body, file?.bytes ?? null) }
    }),
  ]
}
