/** The banner that marks this park as the demo campus, with the progress of filling it, and the button that removes it. */
import { Button, Progress, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { modal, toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { rememberPark, useMay } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useReadOnce } from '../../api/query.ts'
import type { DemoState } from './useCockpit.ts'
import styles from './demo.module.css'

export function DemoBanner({ demo: { state, done, total } }: { demo: DemoState }) {
  const { t, i18n } = useTranslation('home')
  const removal = useWrite(organisationCalls.removeDemo, {
    onDone(answer) {
      if (answer.state !== 'none') return toast('info', t('demo.removing'))
      toast('success', t('demo.removed'))
      // The park has its own name again.
      void request(organisationCalls.parkInfo, {}, { errors: 'silent' }).then(rememberPark, () => {})
    },
  })
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const mayRemove = useMay('system.base')

  const ask = (): void =>
    modal.confirm({
      title: t('demo.removeTitle'),
      content: <DemoRemoval />,
      okText: t('demo.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      // A refusal has been shown already; the dialog stays until there is an answer.
      onOk: () => removal.send({}).catch(() => {}),
    })

  return (
    <div className={styles.demo} role="note">
      <p>
        <b>{t('demo.title')}</b> {state === 'preparing' && t('demo.preparing', { done: number(done), total: number(total) })}
        {state === 'ready' && t('demo.words')}
        {state === 'removing' && t('demo.removing')}
      </p>
      {state === 'preparing' && (
        <Progress
          percent={total > 0 ? Math.floor((done / total) * 100) : 0}
          size="small"
          showInfo={false}
          strokeColor="var(--accent)"
          aria-label={t('demo.title')}
        />
      )}
      {mayRemove && (
        <Button size="small" loading={removal.pending} onClick={ask}>
          {t('demo.remove')}
        </Button>
      )}
    </div>
  )
}

const COUNTED = ['persons', 'devices', 'strategies', 'records'] as const

/** The question before the demo is removed, with counts of what is deleted and what stays. */
function DemoRemoval() {
  const { t, i18n } = useTranslation('home')
  const { data: foreseen, isPending } = useReadOnce(organisationCalls.foreseeDemoRemoval, {})
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return (
    <div className={styles.removal}>
      {isPending ? (
        <Skeleton active title={false} paragraph={{ rows: COUNTED.length + 1 }} />
      ) : foreseen === undefined ? (
        <p>{t('demo.unforeseen')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('demo.what')}</th>
              <th scope="col">{t('demo.goes')}</th>
              <th scope="col">{t('demo.stays')}</th>
            </tr>
          </thead>
          <tbody>
            {COUNTED.map((what) => (
              <tr key={what}>
                <th scope="row">{t(`demo.${what}`)}</th>
                <td>{number(foreseen.goes[what])}</td>
                <td>{number(foreseen.stays[what])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{t('demo.loss')}</p>
      <p>{t('demo.kept')}</p>
    </div>
  )
}
