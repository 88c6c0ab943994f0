/** Settings of the camera in its console. */
import { read, type ConsoleCalls } from '../console/call.ts'
import { captureSettingValues, type KeptCaptureSettings } from './settings.ts'

export function captureSettingsCalls(settings: KeptCaptureSettings): ConsoleCalls {
  return {
    'GET capture/settings': { run: settings.current },
    'PUT capture/settings': {
      run(request) {
        settings.set(read(request, captureSettingValues.partial()))
        return settings.current()
      },
    },
  }
}
