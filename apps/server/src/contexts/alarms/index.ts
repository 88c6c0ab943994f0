/** Alarms: of faces, of passages, what devices report, who is told of it, escalation, cases, and which pop-ups a user wants. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import { devicesContext } from '../devices/index.ts'
import { maintenanceContext } from '../maintenance/index.ts'
import { facesContext } from '../faces/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext } from '../people/index.ts'
import { recordsContext } from '../records/index.ts'
import { captureCompanions, surveillanceContext } from '../surveillance/index.ts'
import { systemContext } from '../system/index.ts'
import { createAiBoxAlarms } from './ai-box.ts'
import { aiBoxHandlers } from './ai-box-calls.ts'
import { createAiBoxReceiving } from './ai-box-receiving.ts'
import { createAiBoxKind } from './ai-box-kind.ts'
import { aiBoxMigrations } from './ai-box-schema.ts'
import { createAlarmMails } from './alarm-mails.ts'
import { alarmMailMigrations } from './alarm-mails-schema.ts'
import { createAlarmSettings } from './alarm-settings.ts'
import { alarmsHandlers } from './calls.ts'
import { createCaseExport } from './cases.ts'
import { createDeviceEvents } from './device-events.ts'
import { deviceEventHandlers } from './device-events-calls.ts'
import { createReceivedEvents } from './device-events-received.ts'
import { deviceEventMigrations } from './device-events-schema.ts'
import { createDeviceEventKind } from './device-event-kind.ts'
import { emailHandlers } from './email-calls.ts'
import { createEscalation, type EscalationService } from './escalation.ts'
import { escalationMigrations } from './escalation-schema.ts'
import { alarmNoted } from './events.ts'
import { faceAlarmHandlers } from './face-alarms-calls.ts'
import { createRaising } from './face-alarms-raising.ts'
import { createFaceAlarmRemoval } from './face-alarms-removal.ts'
import { faceAlarmsMigrations } from './face-alarms-schema.ts'
import { createFaceAlarms } from './face-alarms.ts'
import { createFaceKind } from './face-kind.ts'
import { createAlarmsHolder } from './holder.ts'
import type { LiveAlarms } from './live.ts'
import { createMaintenanceAlarms } from './maintenance-alarms.ts'
import { maintenanceAlarmHandlers } from './maintenance-alarms-calls.ts'
import { createMaintenanceKind } from './maintenance-kind.ts'
import { escalationHandlers } from './passage-calls.ts'
import { passageAlarmMigrations } from './passage-alarms-schema.ts'
import { createPassagePart, type PassagePart } from './passage-part.ts'
import { alarmsMigrations } from './schema.ts'
import { createAlarmsService } from './service.ts'

export { aiBoxAlarmsChanged, deviceEventsChanged, ruleAlarmsChanged } from './events.ts'
export { eventClips, type EventClip, type FindEventClip } from './extension-points.ts'
export type { LiveAlarms } from './live.ts'
export { faceAlarmsChanged } from './face-alarms-events.ts'

export interface AlarmsContext extends Context {
  live: LiveAlarms
  passages: Pick<PassagePart, 'raising'>
  escalation: EscalationService
}

export const alarmsContext = defineContext({
  name: 'alarms',
  uses: {
    organisation: organisationContext,
    faces: facesContext,
    people: peopleContext,
    devices: devicesContext,
    maintenance: maintenanceContext,
    records: recordsContext,
    surveillance: surveillanceContext,
    system: systemContext,
  },
  create(platform, { organisation, faces, people, devices, maintenance, records, surveillance, system }): AlarmsContext {
    const publicAddress = ({ parkId }: { parkId: string }) => system.publicAddress(parkId)
    const settings = createAlarmSettings(platform, organisation.settings)
    const mails = createAlarmMails(platform, {
      people: people.service,
      organisation: organisation.service,
      publicAddress,
      settings: settings.email,
    })
    const aiBoxes = createAiBoxAlarms(platform)
    const receiving = createAiBoxReceiving(platform, { devices: devices.service, mails })
    const deviceEvents = createDeviceEvents(platform, { organisation: organisation.service })
    const received = createReceivedEvents(platform, {
      devices: devices.service,
      numbered: devices.numbered,
      mails,
      organisation: organisation.service,
    })
    const { resourceAlerts: alerts } = maintenance.service
    const maintenanceAlarms = createMaintenanceAlarms(platform, { devices: devices.service, alerts })
    const faceAlarms = createFaceAlarms(platform, { faces: faces.service, people: people.service, captures: surveillance.captures })
    const removal = createFaceAlarmRemoval(platform)
    const passages = createPassagePart(platform, records)
    const kinds = [
      createFaceKind(platform, surveillance.captures),
      createDeviceEventKind(platform),
      createAiBoxKind(platform),
      createMaintenanceKind(alerts),
      ...passages.kinds,
    ]
    const escalation = createEscalation(platform, {
      settings: organisation.settings,
      organisation: organisation.service,
      kinds,
      publicAddress,
    })
    platform.events.consume({
      name: 'alarms.mails',
      mode: 'once',
      handlers: [on(alarmNoted, ({ parkId }) => mails.sendNew({ parkId }))],
    })
    return {
      live: { faces: faceAlarms.live, rules: passages.live, boxes: aiBoxes.bubbles, deviceEvents, maintenance: maintenanceAlarms },
      passages,
      escalation,
      calls: [
        ...alarmsHandlers(createAlarmsService(platform), settings, surveillance.tasks),
        ...emailHandlers(settings, mails),
        ...aiBoxHandlers(aiBoxes, receiving),
        ...faceAlarmHandlers(faceAlarms),
        ...passages.calls,
        ...deviceEventHandlers({ events: deviceEvents, received }),
        ...maintenanceAlarmHandlers(maintenanceAlarms),
        ...escalationHandlers(escalation),
      ],
      migrations: [
        ...alarmsMigrations,
        ...deviceEventMigrations,
        ...aiBoxMigrations,
        ...alarmMailMigrations,
        ...faceAlarmsMigrations,
        ...passageAlarmMigrations,
        ...escalationMigrations,
      ],
      jobs: [
        ...mails.jobs,
        aiBoxes.job,
        removal.job,
        passages.job,
        escalation.job,
        {
          name: 'alarms.dropOldDeviceEvents',
          schedule: '23 3 * * *',
          run: async () => ({ outcome: 'success', counts: await deviceEvents.dropOld() }),
        },
      ],
      holder: createAlarmsHolder([removal, passages, mails]),
      exports: [createCaseExport(platform, organisation.service, kinds)],
      erasePark: async (tx, scope) => ({
        aiBoxAlarms: await aiBoxes.erasePark(tx, scope),
        alarmMails: await mails.erasePark(tx, scope),
        deviceEvents: await deviceEvents.erasePark(tx, scope),
        faceAlarms: await removal.erasePark(tx, scope),
        passageAlarms: await passages.erasePark(tx, scope),
      }),
      extensions: [extend(captureCompanions, createRaising(platform, mails))],
    }
  },
})
