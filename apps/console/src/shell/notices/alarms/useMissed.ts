/** Alarms of the last minutes that arrived in no frame: before the page was loaded, or while it had no connection. */
import { useEffect, useEffectEvent } from 'react'
import { aiBoxCalls, type AiBoxAlarm } from '@gatehouse/contract/alarms/ai-box'
import { deviceEventCalls, type DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { faceAlarmCalls, type FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { maintenanceAlarmCalls, type MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { ALARM_BUBBLES_MAX } from '@gatehouse/contract'
import { alarmMatchType, alertBubbleType, alertType } from '@gatehouse/contract/enums/alarms'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { useLiveState } from '../../../api/live.ts'
import { request } from '../../../api/request.ts'
import { mayCallNow } from '../../../api/session.ts'
import { useSeesWatchList } from '../../../shared/watchList.ts'
import { LATE, type CentreAlarms, type takeHits } from './alarms.ts'
import type { AlarmFrame } from './centre.ts'

const silently = { errors: 'silent' } as const
const ignore = (): void => {}

/** Read the hits of the watch list. */
export function useMissedHits(isShown: boolean, takeRecords: (frame: Parameters<typeof takeHits>[1]) => void): void {
  const sees = useSeesWatchList()
  const connected = useLiveState(({ state }) => state === 'connected')
  const read = useEffectEvent(() => {
    const body = { watchList: true, startTime: Date.now() - LATE } as const
    void request(recordCalls.find, { body }, silently).then(({ content }) => takeRecords({ rows: content }), ignore)
  })
  useEffect(() => {
    if (connected && sees && isShown) read()
  }, [connected, sees, isShown])
}

const faceBubbleOf = ({ suspectPerson, taskId, ...alarm }: FaceAlarm): CentreAlarms['faceAlarm'] => ({
  ...alarm,
  bubbleType: alertBubbleType.alarm,
  alertType: alarm.matchType === alarmMatchType.matched ? alertType.blacklist : alertType.stranger,
  personName: suspectPerson,
  surveillanceId: taskId,
})
const deviceBubbleOf = (event: DeviceEvent): CentreAlarms['deviceAlarm'] => ({ ...event, bubbleType: alertBubbleType.deviceAlarm })
const aiBoxBubbleOf = (alarm: AiBoxAlarm): CentreAlarms['aiBoxAlarm'] => ({ ...alarm, bubbleType: alertBubbleType.aiBoxAlarm })
const resourceBubbleOf = (alarm: MaintenanceAlarm): CentreAlarms['deviceResource'] => ({ ...alarm, bubbleType: alertBubbleType.device })

type Takers = { [Kind in keyof CentreAlarms]: (frame: AlarmFrame<CentreAlarms[Kind]>) => void }

/** Milliseconds by which what the page shows is ahead of alarms that were missed. */
const AFTER_PAGE = 1_500

/** Read the unhandled alarms of the alarm centre, as many as become bubbles. */
export function useMissedAlarms(take: Takers): void {
  const connected = useLiveState(({ state }) => state === 'connected')
  const read = useEffectEvent(() => {
    const body = { tab: 'unhandled', startTime: Date.now() - LATE, size: ALARM_BUBBLES_MAX } as const
    if (mayCallNow(faceAlarmCalls.list))
      void request(faceAlarmCalls.list, { body }, silently).then(
        ({ content }) => take.faceAlarm({ rows: content.map(faceBubbleOf) }),
        ignore,
      )
    if (mayCallNow(deviceEventCalls.list))
      void request(deviceEventCalls.list, { body }, silently).then(
        ({ content }) => take.deviceAlarm({ rows: content.map(deviceBubbleOf) }),
        ignore,
      )
    if (mayCallNow(aiBoxCalls.list))
      void request(aiBoxCalls.list, { body }, silently).then(({ content }) => take.aiBoxAlarm({ rows: content.map(aiBoxBubbleOf) }), ignore)
    if (mayCallNow(maintenanceAlarmCalls.list))
      void request(maintenanceAlarmCalls.list, { query: { ...body, lasting: true } }, silently).then(
        ({ content }) => take.deviceResource({ rows: content.map(resourceBubbleOf) }),
        ignore,
      )
  })
  useEffect(() => {
    if (!connected) return
    const timer = setTimeout(() => read(), AFTER_PAGE)
    return () => clearTimeout(timer)
  }, [connected])
}
