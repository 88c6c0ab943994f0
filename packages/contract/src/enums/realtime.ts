import { defineEnum } from './definition.ts'

export const realtimeState = defineEnum(
  'realtimeState',
  { connecting: 'connecting', connected: 'connected', disconnected: 'disconnected' },
  { connecting: 'processing', connected: 'success', disconnected: 'error' },
)

/** Topics below `/topic/{areaCode}/`. */
export const realtimeTopic = defineEnum('realtimeTopic', {
  personAlarm: 'alert/person',
  visitorCheck: 'visitorCheckAlert',
  visitorArrival: 'visitorArriveAlert',
  deviceAlarm: 'alert/device',
  deviceEvent: 'alert/deviceEvent',
  aiBoxEvent: 'alert/aiBoxEvent',
  incomingCall: 'call/incoming',
  hideCall: 'call/hide',
})

export const callChannelAction = defineEnum('callChannelAction', { hangup: 'hangup', interrupted: 'interrupted', timeout: 'timeout' })

export const videoDownloadState = defineEnum(
  'videoDownloadState',
  {
    commandSent: 'commandSent',
    received: 'received',
    generating: 'generating',
    converting: 'converting',
    done: 'done',
    downloadError: 'downloadError',
    downloading: 'downloading',
  },
  {
    commandSent: 'neutral',
    received: 'processing',
    generating: 'processing',
    converting: 'processing',
    done: 'success',
    downloadError: 'error',
    downloading: 'processing',
  },
)
