/** Runs a named command on a device and says what came of it. */
import { useTranslation } from 'react-i18next'
import { maintenanceCalls, type AGENT_COMMANDS } from '@gatehouse/contract/maintenance/calls'
import { modal, toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useDoorWords } from '../doors/index.ts'

type Command = (typeof AGENT_COMMANDS)[number]

/** @returns runs it; a restart is asked about before */
export function useAgent(): (device: { id: string; name: string }, command: Exclude<Command, 'resource'>) => void {
  const { t } = useTranslation('maintenance')
  const why = useDoorWords()
  const agent = useWrite(maintenanceCalls.controlAgent)
  return ({ id, name }, command) => {
    const run = (): void =>
      void agent.send({ body: { deviceId: id, command } }).then(
        ({ isSuccess, errorType }) =>
          toast(
            isSuccess ? 'success' : 'error',
            isSuccess ? t(`agent.${command}Done`, { name }) : t('agent.failed', { name, words: why(errorType) }),
          ),
        () => {},
      )
    if (command !== 'restart') return run()
    modal.confirm({
      title: t('agent.restartTitle', { name }),
      content: t('agent.restartWords'),
      okText: t('agent.restart'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: run,
    })
  }
}
