import { agents, customers as c, sender } from './people.ts'
import type { Correspondent, LetterDraft, ThreadDraft } from './thread-draft.ts'
import { pdf } from './drawn-files.ts'

const { mara, tomasz, priya } = agents

const written = (
  from: Correspondent,
  to: Correspondent,
  subject: string,
  text: string,
  more: Partial<LetterDraft> = {},
): ThreadDraft => ({ subject, letters: [{ from, to: [to], text, ...more }] })

const withLabels = (labels: readonly string[], thread: ThreadDraft): ThreadDraft => ({ ...thread, labels })

/** What the inbox wrote and nobody has answered yet. */
export const sentLetters: readonly ThreadDraft[] = [
  withLabels(
    ['Waiting'],
    written(
      mara,
      sender('Tinderbox IT', 'it@tinderbox-pizza.example'),
      'What we need for single sign-on on {{workday+2}}',
      `Hello,

So that the twenty minutes are enough, please have ready:

- the issuer address of your directory
- permission to register an application
- one test person who may sign in

The redirect address is https://login.larkspur.example/oidc/return. I will share my screen, you will share yours, and Marcus has promised pizza.`,
    ),
  ),
  written(
    tomasz,
    c.piotr,
    'Spreadsheet arrived, 214 tabs, all of them open',
    `Dzień dobry Piotr,

The import found 23 people, 61 weeks and a recipe for żurek in tab 188. I left the recipe out of the rota but attach it, in case your father did not know where it went.`,
    {
      files: [
        {
          name: 'zurek.txt',
          type: 'text/plain; charset=utf-8',
          content:
            'Zakwas 500 ml, biała kiełbasa 6, chrzan 1 łyżka, majeranek dużo.\nGotować powoli. Nie mówić Krzyśkowi.\n',
        },
      ],
    },
  ),
  withLabels(
    ['Security', 'Waiting'],
    written(
      mara,
      c.kerstin,
      'Who sees private telephone numbers: your answer in writing',
      `Dear Ms Albrecht,

A first answer today, the signed one follows by {{workday+3}}.

Numbers are visible to managers, and to colleagues only if "Call at a shift" is on for the place. It has been on by default since February of last year. Every person can switch their own number off under Me, Privacy. I would recommend to switch it off for the whole place until your works council has decided; the setting is one tick.`,
    ),
  ),
  withLabels(
    ['Feature request'],
    written(
      mara,
      c.ewan,
      'Shift questions: number-only is in',
      `Hi Ewan,

"Brrr" is no longer accepted. Numbers only, one decimal, and it asks again if somebody types 40 for a fridge.`,
    ),
  ),
  withLabels(
    ['Billing'],
    written(
      priya,
      c.plain2,
      'Kitchens like yours',
      `Dear all at St Margaret's,

There is an arrangement: volunteers are free, paid staff cost half. I need your charity number and the name of a person who may sign. The soup is not required, but noted.`,
    ),
  ),
  written(
    tomasz,
    c.fiona,
    'Your sign-in code, and why it did not come',
    `Dear Ms Abernethy,

I have just rung and left a message. The codes went to fiona@oldmiltearoom.example, with one l in Mill. I have corrected it; the next code will arrive.

If you would rather have it by text message, answer this mail with yes.`,
  ),
  withLabels(
    ['Partners'],
    written(
      mara,
      sender('Odette Farrow', 'odette@backofhouse.example.net'),
      'Cake, and two people who talk well',
      `Dear Odette,

Yes, with pleasure, and yes to cake. Two good talkers: Saoirse Kinsella of the Salted Pig (on phones at night) and Phil Garside (on bakers and clocks). I have asked them both; Phil says that he has been waiting for this call since 1994.`,
    ),
  ),
  withLabels(
    ['Bug'],
    written(
      tomasz,
      c.caleb,
      'Knox, Indiana',
      `Hi Caleb,

You did break us, or we you. 4.12.3 is in the store's review and carries its own time zones, so that a phone may be as old as it likes. Until then the web app works: https://rota.larkspur.example. My apologies to all 3,600 of you.`,
    ),
  ),
  withLabels(
    ['Bug', 'Security'],
    written(
      mara,
      c.solveig,
      'The calendar link of Magnus',
      `Hei Solveig,

Thank you for reporting this so kindly. You are right, the link belonged to the number. All links that were made that way (there were nine) have been withdrawn this morning and the people told. Please subscribe once more from Me, Calendar.`,
    ),
  ),
  written(
    priya,
    sender('Ledgerwood Accounting', 'accounts@ledgerwood.example'),
    'Receipts of the quarter',
    `Hello,

All receipts of the quarter are in the folder, except one from a taxi in Ghent that has been through the wash. I attach what is left of it.`,
    {
      files: [
        {
          name: 'taxi-ghent.pdf',
          type: 'application/pdf',
          content: pdf(['Taxi', 'Gent-Sint-Pieters to ...', 'EUR 1?.50', '(washed at 40 degrees)']),
        },
      ],
    },
  ),
  written(
    mara,
    sender('Florian Kessler', 'florian.kessler@example.net'),
    'A date for a day with us',
    `Dear Florian,

Before either of us decides: would you spend a paid day here? You would answer real mail beside Tomasz and have lunch on the sofa. {{workday+6}} or {{workday+7}} would suit.`,
  ),
  withLabels(
    ['Waiting'],
    written(
      mara,
      c.desmond,
      'Swap history: what we hold and how we can hand it over',
      `Dear Mr Achebe,

We hold the full chain for every swap: who proposed it, who accepted, when, and from which device. I can give it to you as account owner, signed, within a day of your written instruction. For the solicitor I need the letter that you mentioned.

Nobody else will receive anything about her from us.`,
    ),
  ),
  written(
    tomasz,
    c.bex,
    'Withdrawn: the 17:52 rota',
    `Hi Bex,

Done. Saturday is the 17:40 version again, no notification was sent, and the tablet at Leith Walk agrees. The shared login may read but not publish for now; say the word when the laptop is forgiven.`,
  ),
  withLabels(
    ['Feedback'],
    written(
      mara,
      c.milo,
      'A small hat',
      `Hello Milo,

Please tell your daughter, in confidence: there is a hat. It is red. It will be there from the first of December, for whoever fills the last gap.`,
    ),
  ),
  written(
    priya,
    c.irina,
    'Счёт № 20417, исправленный',
    `Здравствуйте, Ирина!

«Стажёр Тестовый» уволен без выходного пособия. Счёт пересчитан на 11 мест и лежит в вашем кабинете, деньги за двенадцатое место вернутся в течение недели.`,
  ),
  written(
    tomasz,
    c.minjun,
    '주휴수당 표시에 대해',
    `안녕하세요, 민준 님.

다음 달 버전부터 주 15시간을 넘는 직원에게 작은 표시가 붙습니다. 베타로 먼저 써 보시겠어요? 반죽이 끝난 뒤에 답장 주셔도 됩니다.`,
  ),
  withLabels(
    ['Partners', 'Billing'],
    written(
      priya,
      sender('Einkauf Klinikgastronomie Süd', 'einkauf@klinikgastronomie-sued.example'),
      'Angebot 2026-114, dreifach',
      `Sehr geehrte Frau Obermüller-Schattenfroh,

anbei unser Angebot über 210 Plätze in der gewünschten Zahl von Ausfertigungen. Ein Fax haben wir nicht mehr; wir haben es gesucht.`,
      {
        files: [1, 2, 3].map((copy) => ({
          name: `Angebot-2026-114-Ausfertigung-${copy}.pdf`,
          type: 'application/pdf',
          content: pdf([
            'Angebot 2026-114',
            '210 Plätze, 36 Monate',
            'Zahlungsziel 60 Tage, Skonto 3 %',
            `Ausfertigung ${copy} von 3`,
          ]),
        })),
      },
    ),
  ),
  written(
    mara,
    c.yuki,
    '年末年始の休業日について',
    `森田様

ご連絡ありがとうございます。12月29日から1月3日までを「店舗の休業日」として登録いたしました。元日以外の日も色が付いていることをご確認ください。

スタッフの皆様がゆっくりお休みになれますように。`,
  ),
  withLabels(
    ['Feature request', 'Waiting'],
    written(
      tomasz,
      c.ossian,
      'Patterns for the month view: would you test them?',
      `Hi Ossian,

Aiko has drawn letters and patterns and would like to know whether you and your head chef can tell them apart in bad light. It is on your account from {{workday+1}}, nobody else's.`,
    ),
  ),
  written(
    mara,
    c.hanna,
    'Sonntagszuschläge: Ihre sieben Schichten',
    `Guten Tag Frau Vogel,

die sieben Schichten sind auf den richtigen Tag gebucht, der Export ist neu erstellt. Der Fehler selbst wird am {{workday+3}} behoben; bis dahin schaue ich jeden Morgen nach Ihren Tauschen.`,
  ),
  written(
    priya,
    c.lucia,
    'Corner in winter, House in summer: an offer',
    `Hola Lucía,

Stay on Corner. For the fourth place and the summer we add day seats, which you only pay for when they are used. For your numbers it is about 190 € less a year than House. And the moment it no longer is, I will tell you.`,
  ),
  withLabels(
    ['Security'],
    written(
      mara,
      c.rory,
      'The shared password, one last time',
      `Hi Rory,

The log says that someone tried the old shared password on Sunday at 23:10, twice, from a phone in your street. It did not work, as it should not. I mention it in case that somebody is you.`,
    ),
  ),
  written(
    tomasz,
    c.sorcha,
    'The article has been put right',
    `Hi Sorcha,

"Carrying holidays over" has an Irish paragraph now, checked by somebody who does this for a living. Please give your accountant a link, and our apologies for the dinner.`,
  ),
  written(
    mara,
    sender('Winifred Oakes', 'secretary@northernbakers.example'),
    'Ten minutes, one bell, and butter',
    `Dear Winifred,

We bring butter, six kilos. Tomasz will speak about the break rules; he has practised with a kitchen timer and can do it in nine.`,
    { cc: [sender('Tomasz Wrona', 'tomasz@larkspur.example')] },
  ),
  withLabels(
    ['Bug'],
    written(
      tomasz,
      sender('Hyacinth Moreau', 'hyacinth@tillwright.example.com'),
      'Webhooks ahead of reads: what we do about it',
      `Hi Hyacinth,

It was not meant to be like this. From {{workday+2}} the event is sent after the read replicas have it, and GET accepts a minimum revision for those who want to be sure:

    GET /v2/shifts/sh_7Q2?min_revision=9

It answers 425 if it would have to lie. No loop needed.`,
    ),
  ),
]
