/** Settings of devices and of a park (M06), as the entity DeviceSetting names them. */
import { expect } from 'vitest'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'
import { entityFields } from './entities.ts'

/** Passwords can be set and are never returned; the default direction is set at the group, and the direction at the device. */
const NEVER_ANSWERED = ['wifi', 'consolePassword', 'defaultDirection']
/** Fields of one device alone: its identity, and its address. The park has an area code instead. */
const OF_ONE_DEVICE = ['id', 'deviceId', 'deviceType', 'model', 'networkMode', 'ip', 'subnetMask', 'gateway']

/** Each setting with another value than its default. */
const SETTINGS: Json = {
  verificationMode: [1, 4],
  threshold: 77.5,
  lowThreshold: 60,
  livenessSwitch: 0,
  recognitionDistance: 1.2,
  successInterval: 2.5,
  failureInterval: 1.5,
  restartInterval: 30,
  promptText: '欢迎光临',
  voicePromptText: '请进',
  temperatureCheck: 1,
  temperatureMaximum: 37.6,
  temperatureMinimum: 35.4,
  temperatureUnit: 'F',
  maskRule: 'prompt',
  helmetRule: 'refuse',
  gpioTypes: ['doorLock', 'exitButton'],
  alarmRecordingTypes: [1],
  volume: 35,
  screenSaverAfter: 120,
  timeZone: 'UTC+05:45',
  ntpServer: 'ntp.example.org',
  dns: '192.0.2.53',
  serverAddress: 'gate.example.org',
  port: 8443,
  cardNumberFormat: 'hex',
  consoleAccount: 'operator1',
}
const SECRETS = { consolePassword: 'Secret123', wifi: { name: 'Park', password: 'wireless-77' } }
const ADDRESS = { networkMode: 2, ip: '192.0.2.10', subnetMask: '255.255.255.0', gateway: '192.0.2.1' }

/** Return the fields of an answer that the specification defines. */
const specified = (answer: Json): Json =>
  Object.fromEntries(Object.entries(answer).filter(([field]) => (entityFields.DeviceSetting as readonly string[]).includes(field)))
const holdsNoSecret = (answer: unknown) => {
  for (const secret of ['Secret123', 'wireless-77']) expect(JSON.stringify(answer)).not.toContain(secret)
}

const setting = ({ done }: Integrator, deviceId: string) => done('biz', 'GET', `/device/setting?deviceId=${deviceId}`)
const ofPark = ({ done }: Integrator) => done('biz', 'GET', '/device/areaCode/config')
const add = ({ done }: Integrator, body: Json) => done('biz', 'POST', '/device/setting/add', body)
const gone = async ({ ask }: Ground, path: string, id: string) => (await ask('biz', 'GET', `${path}?deviceId=${id}`)).status === 404

export const deviceSettingCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-224',
    service: 'biz',
    method: 'GET',
    path: '/ui/face/config',
    does: 'tells which fields the terminals of the park show at a pass',
    async holds(ground) {
      const at = await ground.elsewhere()
      expect((await at.done('biz', 'GET', '/ui/face/config'))['displayFields']).toContain('name')
      await at.done('biz', 'POST', '/ui/face/config', { displayFields: ['temperature'] })
      expect(await at.done('biz', 'GET', '/ui/face/config')).toMatchObject({ displayFields: ['temperature'] })
    },
  },
  {
    id: 'CALL-225',
    service: 'biz',
    method: 'POST',
    path: '/ui/face/config',
    does: 'chooses the fields the devices of the park show at a pass, and refuses one there is not',
    async holds(ground) {
      const at = await ground.elsewhere()
      const device = await at.park.device()
      const displayFields = ['photo', 'name', 'time']
      await at.done('biz', 'POST', '/ui/face/config', { displayFields })
      expect(await setting(at, device.id)).toMatchObject({ displayFields })
      expect(await at.ask('biz', 'POST', '/ui/face/config', { displayFields: ['salary'] })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-231',
    service: 'biz',
    method: 'GET',
    path: '/device/areaCode/config',
    does: 'tells what the park sets for devices that have nothing of their own',
    async holds(ground) {
      const at = await ground.elsewhere()
      await at.done('biz', 'POST', '/device/areaCode/config', { ...SETTINGS, ...SECRETS })
      const read = await ofPark(at)
      bears(read, 'DeviceSetting', { without: [...NEVER_ANSWERED, ...OF_ONE_DEVICE] })
      expect(read).toMatchObject({ ...SETTINGS, areaCode: at.park.park.areaCode })
      holdsNoSecret(read)
    },
  },
  {
    id: 'CALL-232',
    service: 'biz',
    method: 'POST',
    path: '/device/areaCode/config',
    does: 'takes back what was read, with what changed: new devices have it, and devices with a setting of their own keep that',
    async holds(ground) {
      const at = await ground.elsewhere()
      await at.done('biz', 'POST', '/device/areaCode/config', { promptText: 'Welcome', volume: 20 })
      await at.done('biz', 'POST', '/device/areaCode/config', { ...specified(await ofPark(at)), volume: 45 })
      expect(await ofPark(at)).toMatchObject({ promptText: 'Welcome', volume: 45 })
      const [fresh, loud] = [await at.park.device(), await at.park.device()]
      await add(at, { deviceId: loud.id, volume: 90 })
      expect(await setting(at, fresh.id)).toMatchObject({ promptText: 'Welcome', volume: 45 })
      expect(await setting(at, loud.id)).toMatchObject({ promptText: 'Welcome', volume: 90 })
      expect(await at.ask('biz', 'POST', '/device/areaCode/config', { alarmRecordingTypes: [] })).toMatchObject({ code: 500016 })
    },
  },
  {
    id: 'CALL-245',
    service: 'biz',
    method: 'GET',
    path: '/device/setting/list',
    does: 'lists devices in pages with what each is set to',
    async holds(ground) {
      const at = await ground.elsewhere()
      const [quiet, plain] = [await at.park.device({ type: 3, model: 4 }), await at.park.device()]
      await add(at, { deviceId: quiet.id, volume: 5, timeZone: 'UTC-03:00', ...SECRETS })
      expect(await at.listed('biz', 'GET', '/device/setting/list?page=2&size=1')).toHaveLength(1)
      const rows = await at.listed('biz', 'GET', '/device/setting/list')
      // The area code is that of the park, which is known.
      for (const row of rows) bears(row, 'DeviceSetting', { without: [...NEVER_ANSWERED, 'areaCode'] })
      const rowOf = (id: string) => rows.find(({ deviceId }) => deviceId === id)
      expect(rowOf(quiet.id)).toMatchObject({ deviceType: 3, model: 4, volume: 5, timeZone: 'UTC-03:00' })
      expect(rowOf(plain.id)).toMatchObject({ volume: 60, timeZone: null })
      holdsNoSecret(rows)
    },
  },
  {
    id: 'CALL-246',
    service: 'biz',
    method: 'GET',
    path: '/device/setting',
    does: 'tells what a device is set to as a whole, by its own settings before those of the park',
    async holds(ground) {
      const at = await ground.elsewhere()
      const device = await at.park.device({ type: 3, model: 4 })
      await at.done('biz', 'POST', '/device/areaCode/config', { volume: 25, promptText: 'Welcome' })
      await add(at, { deviceId: device.id, promptText: 'Good day', ...ADDRESS })
      const read = await setting(at, device.id)
      bears(read, 'DeviceSetting', { without: [...NEVER_ANSWERED, 'areaCode'] })
      expect(read).toMatchObject({ deviceId: device.id, deviceType: 3, model: 4, volume: 25, promptText: 'Good day', ...ADDRESS })
      expect(await at.done('biz', 'GET', `/device/setting?id=${String(read['id'])}`)).toEqual(read)
      const { id: other } = await at.park.device()
      expect(await at.ask('biz', 'GET', `/device/setting?id=${device.id}&deviceId=${other}`)).toMatchObject({ status: 400 })
      expect(await gone(ground, '/device/setting', device.id)).toBe(true)
    },
  },
  {
    id: 'CALL-247',
    service: 'biz',
    method: 'GET',
    path: '/device/setting/detail',
    does: 'tells what a device has of its own, and what is the park’s',
    async holds(ground) {
      const at = await ground.elsewhere()
      const device = await at.park.device()
      await at.done('biz', 'POST', '/device/areaCode/config', { volume: 25, promptText: 'Welcome' })
      await add(at, { deviceId: device.id, ...SETTINGS, ...SECRETS, volume: null })
      const read = await at.done('biz', 'GET', `/device/setting/detail?deviceId=${device.id}`)
      bears(read, 'DeviceSetting', { without: [...NEVER_ANSWERED, 'areaCode'] })
      expect(read).toMatchObject({ ...SETTINGS, deviceId: device.id, volume: null, park: { volume: 25, promptText: 'Welcome' } })
      holdsNoSecret(read)
      expect(await gone(ground, '/device/setting/detail', device.id)).toBe(true)
    },
  },
  {
    id: 'CALL-248',
    service: 'biz',
    method: 'POST',
    path: '/device/setting/add',
    does: 'sets each field of a device, takes back what was read with what changed, and refuses what is out of bounds',
    async holds(ground) {
      const device = await ground.park.device()
      await add(ground, { deviceId: device.id, ...SETTINGS, ...ADDRESS, ...SECRETS })
      const read = await setting(ground, device.id)
      expect(read).toMatchObject({ ...SETTINGS, ...ADDRESS })
      await add(ground, { ...specified(read), volume: 70 })
      expect(await setting(ground, device.id)).toMatchObject({ ...SETTINGS, ...ADDRESS, volume: 70 })
      for (const wrong of [
        { recognitionDistance: 2.1 },
        { successInterval: 5.5 },
        { failureInterval: 1.2 },
        { restartInterval: 101 },
        { voicePromptText: '欢迎光临请进请进请进请' },
        { lowThreshold: 90 },
        { temperatureMaximum: 35 },
        { gpioTypes: ['doorLock', 'doorLock'] },
        { consolePassword: 'short' },
        { timeZone: 'UTC+15:00' },
      ])
        expect(await ground.ask('biz', 'POST', '/device/setting/add', { deviceId: device.id, ...wrong })).toMatchObject({ status: 400 })
      expect(await setting(ground, device.id)).toMatchObject({ ...SETTINGS, ...ADDRESS, volume: 70 })
    },
  },
]
