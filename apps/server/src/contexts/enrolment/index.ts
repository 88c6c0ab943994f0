/** Applications of people for themselves or by a third party, and their approval. */
import { APPLICATIONS_KEPT } from '@gatehouse/contract'
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { organisationContext, type OrganisationService } from '../organisation/index.ts'
import { peopleContext, groupDeleted, personsDeleted } from '../people/index.ts'
import { facesContext } from '../faces/index.ts'
import { identityContext } from '../identity/index.ts'
import { privacyContext } from '../privacy/index.ts'
import { systemContext } from '../system/index.ts'
import { createApplications } from './applications.ts'
import type { ApplicationNeeds } from './applications-types.ts'
import { enrolmentHandlers } from './calls.ts'
import * as data from './data.ts'
import { createDecisions } from './decisions.ts'
import { createLinks, type LinkNeeds } from './links.ts'
import { createPhotos } from './photo.ts'
import { enrolmentMigrations } from './schema.ts'

export interface EnrolmentDependencies extends ApplicationNeeds, LinkNeeds {
  organisation: OrganisationService
}

const DAY = 86_400_000

export const enrolmentContext = defineContext({
  name: 'enrolment',
  uses: {
    people: peopleContext,
    faces: facesContext,
    organisation: organisationContext,
    identity: identityContext,
    privacy: privacyContext,
    system: systemContext,
  },
  create(platform, used): Context {
    const organisation = used.organisation.service
    const needs: ApplicationNeeds & LinkNeeds = {
      people: used.people.service,
      groups: used.people.groups,
      faces: used.faces.service,
      demandRoom: used.identity.attempts.demandRoom,
      publicAddress: ({ parkId }) => used.system.publicAddress(parkId),
      consent: (scope, language) => ({ required: used.privacy.consentRequired(scope), text: used.privacy.consentText(scope, language) }),
    }
    const db = platform.db
    const { people } = needs
    const photos = createPhotos(platform, needs.faces, people)
    const links = createLinks(platform, needs)
    const applications = createApplications(platform, photos, needs)
    const decisions = createDecisions(platform, photos, people)

    /** Delete ended links, and applications decided long ago; return the number of applications. */
    async function dropOld(): Promise<number> {
      const now = platform.clock.now()
      await data.deleteEndedLinksUnscoped(db, now)
      const rows = await data.findDecidedBeforeUnscoped(db, now - APPLICATIONS_KEPT * DAY)
      for (const [parkId, old] of Map.groupBy(rows, (row) => row.parkId)) {
        const ids = old.map(({ id }) => id)
        await platform.transaction(async (tx) => {
          await data.deleteApplications({ parkId }, tx, ids)
          await platform.audit.forget(tx, 'personApplication', ids)
        })
      }
      return rows.length
    }

    platform.events.consume({
      name: 'enrolment.forget',
      mode: 'once',
      handlers: [
        on(personsDeleted, async ({ parkId, payload }) => {
          await platform.transaction((tx) =>
            applications.holder.forget(
              tx,
              { parkId },
              payload.personIds.map((id) => ({ id, workNumber: null })),
            ),
          )
        }),
        on(groupDeleted, ({ parkId, payload }) => data.deleteLinksOf({ parkId }, db, payload)),
      ],
    })
    return {
      holder: applications.holder,
      calls: enrolmentHandlers(platform, {
        links,
        applications,
        decisions,
        people,
        organisation,
        consent: needs.consent,
        photosWanted: (scope) => needs.faces.policyOf(scope).photosWanted,
      }),
      migrations: enrolmentMigrations,
      jobs: [
        {
          name: 'enrolment.dropOld',
          schedule: '37 3 * * *',
          run: async () => ({ outcome: 'success', counts: { applications: await dropOld() } }),
        },
      ],
      async erasePark(open, scope) {
        const { links: ended, applications: dropped, fileIds } = await data.deleteOfPark(scope, open)
        await platform.storage.release(open, scope, fileIds)
        return { enrolmentLinks: ended, applications: dropped }
      },
    }
  },
})
