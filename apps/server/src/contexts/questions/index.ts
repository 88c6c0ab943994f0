/** Questions about who may pass where: now, at another moment, and after a planned change. */
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { defineContext, handler, type Context } from '../../platform/context.ts'
import { extend } from '../../platform/extension-points.ts'
import { approvalsContext } from '../approvals/index.ts'
import { devicesContext, personsAtDevice } from '../devices/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext } from '../people/index.ts'
import { relationsContext } from '../relations/index.ts'
import { strategiesContext } from '../strategies/index.ts'
import { synchronisationContext } from '../synchronisation/index.ts'
import { questionHandlers } from './calls.ts'
import { createChangeDrafts } from './changes.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { createPermitEffect } from './permit-effect.ts'
import { createPersonsNamed } from './persons-named.ts'
import { createQuestions } from './service.ts'

export const questionsContext = defineContext({
  name: 'questions',
  uses: {
    organisation: organisationContext,
    people: peopleContext,
    devices: devicesContext,
    relations: relationsContext,
    strategies: strategiesContext,
    synchronisation: synchronisationContext,
    approvals: approvalsContext,
  },
  create(platform, { organisation, people, devices, relations, strategies, synchronisation, approvals }): Context {
    const needs: QuestionDependencies = {
      people: people.service,
      groups: people.groups,
      devices: devices.service,
      placing: devices.placing,
      organisation: organisation.service,
      sharing: relations.sharing,
      reading: strategies.reading,
    }
    const withGuests: QuestionDependencies = { ...needs, people: { ...needs.people, facts: synchronisation.knownPersons.facts } }
    const findPermitEffect = createPermitEffect(platform, needs, strategies.timeRules)
    return {
      calls: [
        ...questionHandlers(createQuestions(platform, withGuests, approvals.guard), createChangeDrafts(needs, strategies.accessGroups)),
        handler(permitCalls.effect, ({ scope, body }) => findPermitEffect(scope, body)),
      ],
      migrations: [],
      extensions: [extend(personsAtDevice, createPersonsNamed(platform, withGuests, strategies.deviceStrategies))],
    }
  },
})
