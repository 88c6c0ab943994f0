/** /facePolicy: how strictly faces are compared, each setting with its error rates. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Form, Segmented, Slider } from 'antd'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import { facePolicyCalls, LIVENESS_MODES, type FacePolicy } from '@gatehouse/contract/faces/policy'
import { FACE_PURPOSES } from '@gatehouse/contract/faces/precision'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { readOptions, useRead } from '../../../api/query.ts'
import { useMay, useSession } from '../../../api/session.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { path } from '../../../paths.ts'
import { FacesScreen } from '../FacesScreen.tsx'
import { livenessInWords, timesRarer, useRateWords } from '../rates.ts'
import { besideHandle, Setting } from './Setting.tsx'
import { policyValuesOf, type PolicyValues } from './policyValues.ts'
import { OwnPeople } from './OwnPeople.tsx'
import { PurposeField } from './PurposeField.tsx'
import styles from '../faces.module.css'
import own from './policy.module.css'

export default function PolicyPage() {
  const policy = useRead(facePolicyCalls.read, {})
  return (
    <FacesScreen tab="facePolicy">
      <DetailPage query={policy}>{(found) => <PolicyForm policy={found} refresh={policy.refetch} />}</DetailPage>
    </FacesScreen>
  )
}

function PolicyForm({ policy, refresh }: { policy: FacePolicy; refresh: () => Promise<unknown> }) {
  const { t } = useTranslation('faces')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const { data: engine } = useRead(faceCalls.engine, {})
  const contract = useContractForm<typeof facePolicyCalls.change, PolicyValues>({
    call: facePolicyCalls.change,
    draft: `facePolicy.${park}`,
    done: t('policy.saved'),
    // Cached at once: otherwise the former policy would be shown again until the next read.
    onDone: (saved) => cache.setQueryData(readOptions(facePolicyCalls.read, {}).queryKey, saved),
  })
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  // The policy of another user is shown unless it would overwrite what is being typed.
  useEffect(() => {
    if (!unsaved) form.setFieldsValue(policyValuesOf(policy))
  }, [form, policy, unsaved])
  const startOver = async (): Promise<void> => {
    await refresh()
    discard()
  }
  return (
    <div className={own.policy}>
      <p className={styles.words}>{t('policy.words')}</p>
      {!policy.measured && <Alert type="warning" showIcon title={t('unmeasured.title')} description={t('unmeasured.words')} />}
      <FormBody id={id} initial={ready(policyValuesOf(policy))} contract={contract}>
        {FACE_PURPOSES.map((purpose) => (
          <PurposeField key={purpose} purpose={purpose} policy={policy} curve={engine?.curve ?? []} />
        ))}
        <OwnPeople />
        <Lead name="margin" max={30} />
        <Lead name="lookAlikeMargin" max={40} />
        <PhotosPerPerson policy={policy} />
        <LivenessField available={policy.liveness.available} />
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={unsaved}
        pending={pending}
        texts={{ save: t('common:save'), discard: t('policy.discard'), unsaved: t('policy.unsaved') }}
        discard={() => void startOver()}
      />
    </div>
  )
}

/** The points by which the best person must lead the second best. */
function Lead({ name, max }: { name: 'margin' | 'lookAlikeMargin'; max: number }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const points = Form.useWatch<number | undefined>(name) ?? 0
  return (
    <Setting title={t(`policy.${name}.title`)} words={t(`policy.${name}.words`)}>
      <Form.Item
        name={name}
        label={t('policy.points')}
        extra={points === 0 ? t('policy.noLead') : t('policy.lead', { n: number(points), times: number(timesRarer(points)) })}
      >
        <Slider
          min={0}
          max={max}
          step={0.5}
          tooltip={{ formatter: (value) => number(value ?? 0), ...besideHandle }}
          ariaLabelForHandle={t(`policy.${name}.title`)}
        />
      </Form.Item>
    </Setting>
  )
}

/** The number of photographs each person should have. */
function PhotosPerPerson({ policy: { persons, personsWithFew, photosWanted } }: { policy: FacePolicy }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const mayOpen = useMay('person.list')
  const options = Array.from({ length: FACES_PER_PERSON }, (_, at) => ({ value: at + 1, label: t('policy.photos', { count: at + 1 }) }))
  const few =
    personsWithFew === 0
      ? t('policy.allHave', { count: photosWanted })
      : t('policy.haveFew', { persons: number(persons), few: number(personsWithFew), count: photosWanted })
  return (
    <Setting title={t('policy.photosWanted.title')} words={t('policy.photosWanted.words')}>
      <Form.Item
        name="photosWanted"
        label={t('policy.photosWanted.label')}
        extra={
          <>
            {few}{' '}
            {mayOpen && personsWithFew > 0 && <Link to={`${path('staffList')}?facesBelow=${photosWanted}`}>{t('policy.showThem')}</Link>}
          </>
        }
      >
        <Segmented aria-label={t('policy.photosWanted.label')} options={options} />
      </Form.Item>
    </Setting>
  )
}

type Liveness = PolicyValues['liveness']

/** Whether a face must be a living one, and the score from which it counts as such. */
function LivenessField({ available }: { available: boolean }) {
  const { t } = useTranslation('faces')
  const { mode } = Form.useWatch<Liveness | undefined>('liveness') ?? { mode: 'off' }
  return (
    <Setting title={t('liveness.title')} words={t('policy.liveness.words')}>
      <Form.Item
        name="liveness"
        extra={
          <>
            {t(available ? `liveness.means.${mode}` : 'liveness.cannot')}{' '}
            <Link to={path('faceLiveness')}>{t(available ? 'policy.liveness.try' : 'policy.liveness.why')}</Link>
          </>
        }
      >
        <ModeField available={available} />
      </Form.Item>
    </Setting>
  )
}

interface ModeFieldProps {
  available: boolean
  /** Given by `<Form.Item>`. */
  value?: Liveness
  onChange?: (value: Liveness) => void
}

function ModeField({ available, value = { mode: 'off' }, onChange }: ModeFieldProps) {
  const { t } = useTranslation('faces')
  const { mode, threshold } = value
  const words = (score: number | undefined): string => livenessInWords(score ?? 0)
  return (
    <>
      <Segmented
        aria-label={t('liveness.mode')}
        value={mode}
        options={LIVENESS_MODES.map((each) => ({
          value: each,
          label: t(`liveness.modes.${each}`),
          disabled: !available && each !== 'off' && each !== mode,
        }))}
        onChange={(each) => onChange?.({ mode: each, threshold })}
      />
      {mode !== 'off' && (
        <div className={own.custom}>
          <p>
            {t('liveness.threshold')}
            {threshold == null && ` (${t('policy.liveness.unset')})`}
          </p>
          <Slider
            min={0}
            max={1}
            step={0.01}
            value={threshold ?? 0}
            onChange={(score) => onChange?.({ mode, threshold: score })}
            marks={{ 0: words(0), 0.5: words(0.5), 1: words(1) }}
            tooltip={{ formatter: words, ...besideHandle }}
            ariaLabelForHandle={t('liveness.threshold')}
          />
        </div>
      )}
    </>
  )
}
