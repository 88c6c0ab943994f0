/** /dataDictionary: custom words for the values of enums, which the whole console uses. */
import { DownloadOutlined, SearchOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Upload } from 'antd'
import Input from 'antd/es/input/Input'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { isEnumBuilt } from '@gatehouse/contract/built'
import { dictionaryCalls, type Dictionary } from '@gatehouse/contract/system/dictionary'
import { fileSizeIssue } from '@gatehouse/contract/files'
import { LANGUAGES } from '@gatehouse/contract'
import { takeOwnWords } from '../../../i18n/dictionary.ts'
import { Branches } from '../../../kit/detail/Branches.tsx'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { saveFile } from '../../../api/saveFile.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { LANGUAGE_NAMES } from '../../../i18n/index.ts'
import { enumsWith, finds, type EnumWords, type Value, shownWord } from './words.ts'
import styles from './dictionary.module.css'

const WordDialog = lazy(() => import('./WordDialog.tsx'))

export default function DictionaryPage() {
  const { t } = useTranslation('system')
  const dictionary = useRead(dictionaryCalls.read, {})
  return <DetailPage query={dictionary}>{(found) => <Words dictionary={found} title={t('dictionary.title')} />}</DetailPage>
}

function Words({ dictionary, title }: { dictionary: Dictionary; title: string }) {
  const { t } = useTranslation('system')
  const [search, setSearch] = useSearchParams()
  const editor = useEditor<Value>()
  const reset = useWrite(dictionaryCalls.change, { done: t('dictionary.resetDone'), onDone: takeOwnWords })
  const all = enumsWith(dictionary, (name) => t(`dictionary.kind.${name}`)).filter(({ name }) => isEnumBuilt(name))
  const text = search.get('search') ?? ''
  const found = all.filter((one) => finds(one, text))
  const chosen = found.find(({ name }) => name === search.get('enum')) ?? found[0]
  const changed = all.reduce((sum, one) => sum + one.changed, 0)
  const setPart = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const resetValues = (of: EnumWords, values: Value[]): void =>
    reset.run({
      body: {
        version: dictionary.version,
        labels: values.flatMap(({ value, words }) =>
          words.filter(({ own }) => own !== undefined).map(({ language }) => ({ enum: of.name, value, language, label: '' })),
        ),
      },
    })
  const resetAll = (of: EnumWords): void =>
    modal.confirm({
      title: t('dictionary.resetTitle'),
      content: t('dictionary.resetWords', { count: of.changed }),
      okText: t('dictionary.reset'),
      cancelText: t('common:cancel'),
      onOk: () => resetValues(of, of.values),
    })

  return (
    <Screen
      title={title}
      note={t('dictionary.changed', { count: changed })}
      actions={<Files />}
      aside={
        <div className={styles.aside}>
          <Input
            aria-label={t('dictionary.search')}
            placeholder={t('dictionary.search')}
            prefix={<SearchOutlined />}
            allowClear
            value={text}
            maxLength={64}
            onChange={({ target }) => setPart('search', target.value)}
          />
          {found.length === 0 ? (
            <p className={styles.nothing}>{t('dictionary.nothing')}</p>
          ) : (
            <Branches
              key={text}
              label={t('dictionary.enums')}
              branches={found.map(({ name, title: shown, changed: count }) => ({
                key: name,
                name: shown,
                count: count || undefined,
                children: [],
              }))}
              chosen={chosen?.name ?? ''}
              choose={(name) => setPart('enum', name)}
            />
          )}
        </div>
      }
    >
      <p className={styles.words}>{t('dictionary.words')}</p>
      {chosen && (
        <>
          <header className={styles.head}>
            <h2>{chosen.title}</h2>
            <code>{chosen.name}</code>
            {chosen.changed > 0 && (
              <Button size="small" loading={reset.pending} onClick={() => resetAll(chosen)}>
                {t('dictionary.resetAll')}
              </Button>
            )}
          </header>
          <WordTable of={chosen} edit={editor.edit} reset={(value) => resetValues(chosen, [value])} />
        </>
      )}
      <Suspense fallback={null}>
        {editor.target && chosen && <WordDialog key={editor.openingCount} editor={editor} of={chosen} version={dictionary.version} />}
      </Suspense>
    </Screen>
  )
}

/** Export of the whole dictionary to a spreadsheet, and import. */
function Files() {
  const { t } = useTranslation('system')
  const take = useWrite(dictionaryCalls.import, {
    onDone: ({ changed }) => {
      toast('success', t('dictionary.imported', { count: changed }))
      void request(dictionaryCalls.read, {}).then(takeOwnWords)
    },
  })
  const send = (file: File): void => {
    const issue = fileSizeIssue('import', file.size)
    if (issue) toast('error', sentenceOfIssue(issue))
    else take.run({ file })
  }
  return (
    <>
      <Button icon={<DownloadOutlined />} onClick={() => void request(dictionaryCalls.export, {}).then(saveFile, () => {})}>
        {t('dictionary.export')}
      </Button>
      <Upload
        accept=".csv,text/csv"
        showUploadList={false}
        beforeUpload={(file) => {
          send(file)
          return false
        }}
      >
        <Button icon={<UploadOutlined />} loading={take.pending}>
          {t('dictionary.import')}
        </Button>
      </Upload>
    </>
  )
}

/** The values of one enum with their words in each language; custom words are marked. */
function WordTable({ of, edit, reset }: { of: EnumWords; edit: (value: Value) => void; reset: (value: Value) => void }) {
  const { t } = useTranslation('system')
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" data-narrow>
            {t('dictionary.value')}
          </th>
          {LANGUAGES.map((language) => (
            <th key={language} scope="col">
              {LANGUAGE_NAMES[language]}
            </th>
          ))}
          <th scope="col" data-actions>
            <span className="unseen">{t('common:list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {of.values.map((value) => (
          <tr key={value.value}>
            <th scope="row">
              <code>{value.value}</code>
            </th>
            {value.words.map((word) => (
              <td key={word.language} lang={word.language} data-own={word.own !== undefined || undefined}>
                <span>{shownWord(word)}</span>
                {word.own !== undefined && <small>{t('dictionary.insteadOf', { word: word.builtIn })}</small>}
              </td>
            ))}
            <td>
              <Button type="link" size="small" aria-label={t('dictionary.editOf', { value: value.value })} onClick={() => edit(value)}>
                {t('dictionary.edit')}
              </Button>
              {value.words.some(({ own }) => own !== undefined) && (
                <Button type="link" size="small" aria-label={t('dictionary.resetOf', { value: value.value })} onClick={() => reset(value)}>
                  {t('dictionary.reset')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
