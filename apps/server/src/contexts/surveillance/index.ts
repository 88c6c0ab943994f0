/** Surveillance: monitoring tasks, which say whom cameras look out for, where and when, and the faces that cameras capture. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import { configurationContext } from '../configuration/index.ts'
import { devicesContext, devicesDeleted } from '../devices/index.ts'
import { facesContext } from '../faces/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { groupDeleted, groupsChanged, groupWatches, peopleContext, personsChanged, personsDeleted } from '../people/index.ts'
import { recordsContext } from '../records/index.ts'
import { systemContext } from '../system/index.ts'
import { taskHandlers } from './calls.ts'
import { captureHandlers } from './captures-calls.ts'
import { capturesCountMigrations } from './captures-count-schema.ts'
import { createCaptureExport } from './captures-export.ts'
import { createCaptureFaces } from './captures-faces.ts'
import { createCaptureIngest } from './captures-ingest.ts'
import { createCaptureKeeping } from './captures-keeping.ts'
import { keepingMigrations } from './captures-keeping-schema.ts'
import { createPassingCaptures, createRecentlyDone } from './captures-passing.ts'
import { createCapturePictures } from './captures-pictures.ts'
import { createCaptureRemoval } from './captures-removal.ts'
import { capturesMigrations } from './captures-schema.ts'
import { createCaptureStore } from './captures-store.ts'
import type { CaptureDependencies } from './captures-types.ts'
import { createCaptureLists, type CaptureLists } from './captures.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import { monitoringTasksChanged } from './events.ts'
import { createMatching } from './matching.ts'
import { createWatchedPersons } from './matching-persons.ts'
import { surveillanceMigrations } from './schema.ts'
import { deletePositionsOfPark } from './map-data.ts'
import { createMapPositions } from './map-positions.ts'
import { createReplay } from './replay.ts'
import { replayHandlers } from './replay-calls.ts'
import { createFaceSearch } from './search.ts'
import { searchHandlers } from './search-calls.ts'
import { createSearchDays } from './search-days.ts'
import { captureTemplatesChanged } from './search-events.ts'
import { createNearestSearch } from './search-nearest.ts'
import { createProbeReader } from './search-probe.ts'
import { searchMigrations } from './search-schema.ts'
import { createCaptureTemplates } from './search-templates.ts'
import type { SearchDependencies } from './search-types.ts'
import { createTaskMembers } from './task-members.ts'
import { createMonitoringTasks } from './tasks.ts'
import { deleteOfPark } from './tasks-data.ts'
import type { MonitoringTasks } from './tasks-types.ts'
import { createWatching } from './watching.ts'
import type { Watching } from './watching-types.ts'

export type { CaptureLists } from './captures.ts'
export { captureCompanions, type CaptureCompanion, type CaptureMatch, type MatchedCapture } from './extension-points.ts'
export type { Watching, WatchingTask } from './watching-types.ts'

export interface SurveillanceContext extends Context {
  watching: Watching
  captures: CaptureLists
  tasks: Pick<MonitoringTasks, 'names'>
}

export const surveillanceContext = defineContext({
  name: 'surveillance',
  uses: {
    organisation: organisationContext,
    faces: facesContext,
    people: peopleContext,
    devices: devicesContext,
    configuration: configurationContext,
    records: recordsContext,
    system: systemContext,
  },
  create(platform, { organisation, faces, people, devices, configuration, records, system }): SurveillanceContext {
    const needs: SurveillanceDependencies = {
      devices: devices.service,
      groups: people.groups,
      faces: faces.service,
      organisation: organisation.service,
    }
    const watching = createWatching(platform, needs)
    const tasks = createMonitoringTasks(platform, needs, watching.forget)

    const captureNeeds: CaptureDependencies = {
      devices: devices.service,
      numbered: devices.numbered,
      people: people.service,
      faces: faces.service,
      watching,
    }
    const watchedPersons = createWatchedPersons(captureNeeds)
    const match = createMatching(captureNeeds, watchedPersons)
    const store = createCaptureStore(platform)
    const captures = createCaptureLists(platform, { ...captureNeeds, groups: people.groups })
    const keeping = createCaptureKeeping(platform, {
      configuration: configuration.service,
      organisation: organisation.service,
      devices: devices.service,
    })
    const removal = createCaptureRemoval(platform, keeping)
    const recent = createRecentlyDone(platform)
    const captureFaces = createCaptureFaces(captureNeeds)

    const searchNeeds: SearchDependencies = {
      faces: faces.service,
      people: people.service,
      records: records.records,
      devices: devices.service,
      plan: system.plan,
    }
    const templates = createCaptureTemplates(platform, faces.service.description)
    const days = createSearchDays(platform, templates, faces.service.description, platform.config.captureSearchBytes)
    const search = createFaceSearch(platform, searchNeeds, {
      captures: createNearestSearch(platform, searchNeeds, days, templates),
      probes: createProbeReader(platform, searchNeeds, templates),
      lists: captures,
    })
    const replayNeeds = { faces: faces.service, people: people.service, organisation: organisation.service }
    const replay = createReplay(platform, replayNeeds, { members: createTaskMembers(needs), templates })
    const map = createMapPositions(platform, searchNeeds)

    platform.events.consume({
      name: 'surveillance.search',
      mode: 'everyNode',
      handlers: [on(captureTemplatesChanged, ({ parkId, payload }) => days.refresh({ parkId }, payload))],
    })
    platform.events.consume({
      name: 'surveillance.persons',
      mode: 'everyNode',
      handlers: [
        on(personsChanged, async ({ parkId }) => watchedPersons.forget({ parkId })),
        on(personsDeleted, async ({ parkId }) => watchedPersons.forget({ parkId })),
        on(groupsChanged, async ({ parkId }) => watchedPersons.forget({ parkId })),
        on(groupDeleted, async ({ parkId }) => watchedPersons.forget({ parkId })),
        on(monitoringTasksChanged, async ({ parkId }) => watchedPersons.forget({ parkId })),
      ],
    })
    platform.events.consume({
      name: 'surveillance.watching',
      mode: 'everyNode',
      handlers: [
        on(monitoringTasksChanged, async ({ parkId }) => watching.forget({ parkId })),
        on(groupsChanged, async ({ parkId }) => watching.forget({ parkId })),
        on(groupDeleted, async ({ parkId }) => watching.forget({ parkId })),
      ],
    })
    platform.events.consume({
      name: 'surveillance.members',
      mode: 'once',
      handlers: [
        on(devicesDeleted, async ({ parkId, payload }) => {
          await tasks.forgetDevices({ parkId }, payload.deviceIds)
          await map.forgetDevices({ parkId }, payload.deviceIds)
        }),
        on(groupDeleted, ({ parkId, payload }) => tasks.forgetGroup({ parkId }, payload.groupId)),
        on(personsDeleted, async ({ parkId, payload }) => {
          await platform.transaction((tx) => removal.forget(tx, { parkId }, payload.personIds))
        }),
      ],
    })

    return {
      watching,
      tasks,
      captures,
      calls: [
        ...taskHandlers(tasks),
        ...captureHandlers({
          ingest: createCaptureIngest(platform, captureNeeds, { store, match, keeping }),
          pictures: createCapturePictures(platform, captureNeeds, { store, match, keeping, captureFaces, recent }),
          passing: createPassingCaptures(platform, captureNeeds, { store, match, keeping, captureFaces, recent }),
          keeping,
          lists: captures,
        }),
        ...searchHandlers(platform, { search, map }),
        ...replayHandlers(platform, replay),
      ],
      stop: days.close,
      migrations: [...surveillanceMigrations, ...capturesMigrations, ...searchMigrations, ...keepingMigrations, ...capturesCountMigrations],
      jobs: [removal.job],
      exports: [createCaptureExport(platform, captures)],
      holder: removal.holder,
      async erasePark(tx, scope) {
        const monitoringTasks = await deleteOfPark(scope, tx)
        await platform.events.announce(tx, monitoringTasksChanged, scope.parkId, { taskIds: [] })
        return { monitoringTasks, captures: await removal.erasePark(tx, scope), mapPositions: await deletePositionsOfPark(scope, tx) }
      },
      extensions: [extend(groupWatches, tasks.watches)],
    }
  },
})
