import { agents, customers, staff } from './people.ts'
import { agreementArchive, swapLog, timesheetCsv } from './letter-documents.ts'
import { questionScreen, rotaScreenshot } from './letter-pictures.ts'
import type { ThreadDraft } from './thread-draft.ts'

const { mara, tomasz, priya } = agents

/** What customers wrote in the last days, each thread written by hand: the first screen that a visitor of the demo sees. */
export const customerLetters: readonly ThreadDraft[] = [
  {
    subject: 'Saturday rota published twice, half the team has the wrong one',
    labels: ['Bug', 'Urgent'],
    unread: true,
    letters: [
      {
        from: customers.bex,
        text: `Morning,

We published Saturday at 17:40 yesterday. At 17:52 everyone got a second notification with a different rota: the old draft, the one before I moved Priti off the early. Four people now think they open at 6:30 and nobody thinks they close.

I have put a paper copy on the fridge, so we will survive, but I need to know which of the two the clock-in tablet will believe on Saturday morning.

Screenshot attached. The left one is right.

Bex
The Third Kettle, Leith Walk`,
        files: [rotaScreenshot('two-rotas.png', 11)],
      },
      {
        from: mara,
        hoursLater: 0.6,
        text: `Hi Bex,

That is not a nice thing to find before a Saturday. I can see both publications in your log: the second came from the "Leith Walk – shared" login, which still had the old draft open in a browser and re-sent it when the laptop woke up.

The tablet believes whatever was published last, so right now it believes the wrong one. Please do not publish again yet. I have asked Inês to withdraw the 17:52 version, which brings the 17:40 one back and sends no further notification.

I will write as soon as it is done.`,
      },
      {
        from: customers.bex,
        hoursLater: 0.4,
        text: `Thank you. That would be the office laptop then. I'll have words with it.

Waiting. Not touching anything.`,
      },
    ],
  },
  {
    subject: 'Can two people share one shift?',
    labels: ['Feature request'],
    unread: true,
    letters: [
      {
        from: customers.imogen,
        text: `Hello,

We have two students who between them cover Tuesday close. One does 4 to 6:30, the other comes off the bus at 6:20 and takes it to 9. At the moment I make two shifts and they always show as "understaffed" in the middle because of the ten minutes where they hand over.

Is there a way to make it one shift with two names? Or to tell Larkspur that ten minutes of one person is fine, actually, it is a tea shop, the most that can happen is a scone.

Best wishes,
Imogen`,
      },
    ],
  },
  {
    subject: 'Clocks went back and so did everybody’s wages',
    labels: ['Bug', 'Billing', 'Waiting'],
    letters: [
      {
        from: customers.phil,
        text: `Afternoon all

Payroll for the night the clocks changed: bakers on 22:00–06:00 were paid 8 hours. They worked 9. There are eleven of them and they can all count.

I've attached the export. Rows 4 to 14. I have overridden by hand for this month but I am not doing that every October until I die.

Phil Garside`,
        files: [timesheetCsv('garsides-night-shift.csv')],
      },
      {
        from: tomasz,
        text: `Hello Phil,

You are right and we were wrong. The hours on screen use the real elapsed time, but the CSV export subtracts wall-clock times, which is exactly an hour short on that night (and an hour long in March, which nobody has ever written to us about).

Anand has a fix in review. It recalculates exports for the night of the change only, so nothing you have already sent to your accountant for other weeks will move. I expect it on {{workday+3}}.

I am keeping this open until you have a file with nine hours in it.`,
      },
      {
        from: customers.phil,
        text: `Fair enough. "An hour long in March which nobody has written about" made the lads laugh.`,
      },
    ],
  },
  {
    subject: 'Leaving for a while, not because of you',
    labels: ['Feedback'],
    letters: [
      {
        from: customers.elspeth,
        text: `Dear Mara,

We are closing the Croft Kitchen from January to the end of March. The roof has finally decided the matter. Everyone has been found winter work except Ruaridh, who is going to New Zealand to look at sheep, as if we had none.

Can I pause the subscription rather than cancel? I do not want to lose four years of rotas; they are the nearest thing I have to a diary.

Kind regards,
Elspeth Munro`,
      },
      {
        from: mara,
        text: `Dear Elspeth,

You can: a paused place keeps everything and costs nothing for up to six months. I have set it to begin on 1 January and to wake up on 25 March, so that you can write the April rota in peace. You will not be charged in between, and the tablet will simply show a closed sign.

I hope the roof is kind to the builders. And thank you for telling me about Ruaridh and the sheep.`,
      },
      {
        from: customers.elspeth,
        text: `That is perfect, thank you. I shall send you a photograph of the roof when there is one.`,
      },
    ],
  },
  {
    subject: 'SSO for 140 people before the 1st, is it realistic?',
    labels: ['Partners', 'Security', 'Waiting'],
    unread: true,
    letters: [
      {
        from: customers.marcus,
        cc: [{ name: 'Tinderbox IT', email: 'it@tinderbox-pizza.example' }],
        text: `Hi team,

Our auditors would like every system with staff data behind our identity provider by the 1st. You are one of three left (the others are the fryer maintenance portal and, somehow, the music).

What we would need:

- SAML or OIDC, we do not mind which
- people removed from our directory lose access the same day
- store managers sign in with SSO, crew keep their PIN on the tablet

Is that the House plan as it stands, or a conversation with somebody?

Marcus Oyelaran
Head of Operations, Tinderbox Pizza`,
      },
      {
        from: mara,
        text: `Hi Marcus,

All three are in the House plan as it stands. OIDC is the quicker one to set up: you need a client ID, a secret and about twenty minutes with someone who may edit your directory. Removal is checked every fifteen minutes; PINs on the tablet are not affected.

The one thing that takes time is matching existing accounts by e-mail address. Eleven of your managers sign in with a private address at the moment. If you send me the list of who is who, I will prepare the mapping so that nobody loses their history.`,
      },
      {
        from: customers.marcus,
        text: `Better than I feared. The list is with HR, who are checking whether they are allowed to send you the list. I will chase.

Could we do the twenty minutes on {{workday+2}} at 10? IT in copy.`,
      },
    ],
  },
  {
    subject: 'Your help page about holiday carry-over is wrong for Ireland',
    labels: ['Feedback'],
    letters: [
      {
        from: customers.sorcha,
        text: `Hi,

Small one. The article "Carrying holidays over" says unused leave ends on 31 December. That's the UK default in your settings, but in Ireland the leave year can run April to March and carrying over by agreement within six months is normal.

The software does it right, it's only the article. But my accountant found the article first and rang me at dinner.

Sorcha`,
      },
    ],
  },
  {
    subject: 'Tablet says "hello Dmitri" to everyone',
    labels: ['Bug'],
    unread: true,
    letters: [
      {
        from: customers.gwen,
        text: `Hi both

Since the update the clock-in tablet at the harbour greets every single person as Dmitri. The hours go to the right people, I checked, it is only the hello.

We do not employ a Dmitri. Nobody knows who Dmitri is. The staff have started answering to it and there is a small shrine by the proofing cabinet.

I am reporting it because I feel I should, but there is no hurry at all.

Gwen`,
      },
      {
        from: tomasz,
        hoursLater: 1.4,
        text: `Hi Gwen,

Dmitri is the name in our test data. Version 4.12.1 cached the greeting of whoever signed in during the last step of the setup, and on your tablet that was our installer's test account. He is a nice man and has never baked anything.

4.12.2 goes out {{workday+1}} morning and will let him go. If you want it sooner: Settings, This device, Forget and pair again. It takes a minute and loses nothing.`,
      },
      {
        from: customers.gwen,
        hoursLater: 2,
        text: `We have decided to wait until tomorrow so that people can say goodbye.`,
      },
    ],
  },
  {
    subject: 'Moving from spreadsheets, 23 people, three sites. Where do I start?',
    labels: ['Waiting'],
    letters: [
      {
        from: customers.piotr,
        text: `Good morning,

My father ran the rota of Piekarnia Młynarska in one spreadsheet for nineteen years. It has 214 tabs. He retired in September and I am the only person alive who can read it.

We are 23 people at three sites, two ovens, and drivers who belong to no site. I have made a trial account. I do not know whether drivers are a site, a role, or a problem.

Could someone look over my shoulder for half an hour?

Piotr Zieliński`,
      },
      {
        from: tomasz,
        text: `Dzień dobry Piotr,

214 tabs is our new record; the old one was 96.

Drivers are a role, and a role may work at any site. Make one "Driving" role, tick "floats between sites", and they will appear in each site's rota on the days you give them. The ovens are stations: a shift can ask for "one person who may use oven 2".

I have half an hour on {{workday+1}} at 9 or on {{workday+2}} at 14. An invitation follows when you have picked. And if you send me the spreadsheet I will import the people and the last eight weeks, so that you begin with something.`,
      },
      {
        from: customers.piotr,
        text: `Thursday-type people that we are, we take the later one. Spreadsheet is coming by link, it is too big for mail. Please be gentle with it.`,
      },
    ],
  },
  {
    subject: 'Refund for the seat we removed in error?',
    labels: ['Billing'],
    letters: [
      {
        from: customers.jules,
        text: `Hello! On the 3rd I removed "Noor (weekends)" and added "Noor" and got charged for a 21st seat for the rest of the month. Same Noor. One Noor. Is there any chance of the €3.40 back? It is not the money, it is that my business partner audits me for sport.

Jules`,
      },
      {
        from: priya,
        text: `Hello Jules,

One Noor it is. I have merged the two records, so her hours from both are together again, and credited €3.40 to your account. It appears as a line of its own on the next invoice, for the sport.`,
      },
    ],
  },
  {
    subject: 'API: webhook for "shift dropped" arrives before the shift is dropped',
    labels: ['Bug', 'Partners'],
    unread: true,
    letters: [
      {
        from: { name: 'Hyacinth Moreau', email: 'hyacinth@tillwright.example.com' },
        text: `Hi,

We build the Tillwright till integration. On shift.dropped we fetch the shift, and in roughly 1 of 40 cases we still get the old assignee: the event is ahead of the read. Log of one case, times in UTC:

    14:02:11.418  POST /hooks/larkspur        shift.dropped  shift=sh_7Q2  person=pe_19
    14:02:11.590  GET  /v2/shifts/sh_7Q2      200  assignee=pe_19  revision=8
    14:02:13.022  GET  /v2/shifts/sh_7Q2      200  assignee=null   revision=9

The event says "revision": 9, so we could poll until we see it. Before I write that loop: is it meant to be like this, or could the GET accept a minimum revision?

Thanks,
Hyacinth`,
      },
    ],
  },
  {
    subject: 'Is it allowed that staff see each other’s phone numbers',
    labels: ['Security'],
    unread: true,
    letters: [
      {
        from: customers.kerstin,
        text: `Dear support team,

our works council has asked who can see the private telephone numbers. In the app every colleague can tap on "Call" at a shift. I have not found where this is switched off for people who do not want it.

We need an answer in writing for the file: who sees the number, since when, and how a person objects. Please in English or German, both are fine.

Kind regards
Kerstin Albrecht
Mensa am Park`,
      },
    ],
  },
  {
    subject: 'Fridge probe readings in the shift notes: genius or terrible idea?',
    labels: ['Feature request', 'Feedback'],
    letters: [
      {
        from: customers.ewan,
        text: `Hear me out. The opener writes the fridge temperatures on a clipboard. The clipboard gets wet. The inspector wants ninety days of clipboard.

What if the opening shift had three numbers to fill in before it lets you mark it as started? Not a checklist app, we've tried four, nobody opens a second app with cold hands. Just three numbers on the screen they are looking at anyway.

I'd pay a quid a month more for it. Maybe two.

Ewan`,
      },
      {
        from: mara,
        text: `Hi Ewan,

Genius, I think. Aiko, who designs the tablet screens, wrote "cold hands" on a card and put it on the wall.

We have something called shift questions in the beta: up to five questions at the start or end of a shift, a number, a yes or no, or a short text, with an export by date. It was meant for tills but it does not know that. Shall I switch it on for the Peat Fire?`,
      },
      {
        from: customers.ewan,
        text: `Aye, switch it on. I'll tell you in a fortnight if anyone's filled it in with "cold".`,
      },
      {
        from: customers.ewan,
        hoursLater: 42,
        quotes: false,
        text: `Update: day two. Readings are 3, 4, and "brrr". Needs number-only. Otherwise it's great.`,
      },
    ],
  },
  {
    subject: 'We open a fourth place in May. Corner or House?',
    labels: ['Billing'],
    unread: true,
    letters: [
      {
        from: customers.lucia,
        text: `Hello Larkspur,

Casa Robles has three houses and 31 people. In May we open the fourth, with a summer terrace, so it will be 31 in winter and about 50 in summer.

On your price page Corner ends at four places and House begins at "forty people or more". We would be both. What do people like us normally take? I would rather not change plans twice a year.

Warm greetings from a cold Valladolid,
Lucía`,
      },
    ],
  },
  {
    subject: 'The "fair weekends" score thinks I am unfair to myself',
    labels: ['Feedback', 'Bug'],
    letters: [
      {
        from: customers.tamsin,
        text: `Hi,

I own the place, so I'm on every Saturday, and the fairness report has me in red with an exclamation mark: "Tamsin has worked 31 of the last 32 weekends. Consider a change."

It drags the whole team's score down to 61 %. Could owners be left out? Or could it say it more gently.

Tamsin`,
      },
      {
        from: mara,
        text: `Hi Tamsin,

You can leave anyone out under People, Tamsin, "Counts towards fairness". Without you Penrose is at 94 %, which is among the best I have seen.

I shall pass on the wording. And, as a person rather than as support: it was right about the 31 weekends.`,
      },
      { from: customers.tamsin, text: `Ouch. But thank you. My husband says he likes you.` },
    ],
  },
  {
    subject: 'Sign-in code never arrives (tried six times)',
    labels: ['Urgent'],
    unread: true,
    letters: [
      {
        from: customers.fiona,
        text: `Hello, I can not get into the rota. It says it has sent me a six figure code. It has not. I have looked in the junk. I have tried six times and now it says too many tries wait an hour.

The girls are asking me about {{workday+1}}. My number is on the account if you would rather ring.

Fiona Abernethy
Old Mill Tea Room

Sent from my iPad`,
      },
    ],
  },
  {
    subject: 'Export to Kontor Lohn: column order changed?',
    labels: ['Bug', 'Billing'],
    letters: [
      {
        from: customers.greta,
        text: `Hello,

since Monday our payroll program rejects the monthly file with "Spalte 7: Datum erwartet". I compared with the file of the previous month: a new column "Site" stands between "Role" and "Date".

Is there a setting for the old order? The tax office does not accept "the software was updated" as a reason, I have asked them.

Greta Hoffmann`,
      },
      {
        from: tomasz,
        text: `Hello Greta,

You read it exactly right: 4.12 added the site to the standard layout, and it should have been added at the end. That was careless of us.

Under Export, Layout you now find "Kontor Lohn 2024", which is the old order and will never change again. I have already set it for your account, so a fresh export of the month will be accepted.`,
      },
      {
        from: customers.greta,
        text: `Accepted at the first try. Many thanks, also in the name of 39 people who want their wages.`,
      },
    ],
  },
  {
    subject: 'Podcast about people who run rotas?',
    labels: ['Partners'],
    unread: true,
    letters: [
      {
        from: { name: 'Odette Farrow', email: 'odette@backofhouse.example.net' },
        text: `Hi there,

I make Back of House, a small podcast about the work behind restaurants: the dish pit, the linen, the woman who sharpens knives for half of Bristol. About 9,000 people listen, most of them while chopping.

I'd love to do an episode on rotas: who gets Christmas Eve and why. Would somebody at Larkspur talk to me about what you see in the data (no names of course), and would you know two managers who are good talkers?

I record in person and I bring cake.

Odette`,
      },
    ],
  },
  {
    subject: 'Who changed my shift on Thursday?',
    labels: ['Waiting'],
    letters: [
      {
        from: { name: 'Kasia Lewandowska', email: 'kasia.lewandowska@example.org' },
        text: `hi, i work at pod lipa. my shift on thursday was 10-16 and now it is 12-20 and i did not agree to it and my manager says she did not change it either. can you see who did it

kasia`,
      },
      {
        from: mara,
        text: `Hi Kasia,

I can see that there is a change, but a rota belongs to the employer, so I may only show its history to your manager. She finds it under the shift, "History", with the name and the time of every change.

I have written to her with the same answer and a link straight to it, so you should hear today. I am sorry that I cannot just tell you.`,
      },
    ],
  },
  {
    subject: 'Feature we love: the little bird',
    labels: ['Feedback'],
    letters: [
      {
        from: customers.milo,
        text: `Nothing wrong! Just wanted to say that the bird that hops across when you fill the last gap in the week is the best thing in any software I use. My daughter (5) now "helps with the rota" on Sundays so that she can see the bird.

Please never take it out. Maybe a hat at Christmas?

Milo`,
      },
      {
        from: mara,
        text: `Hello Milo, and hello to your daughter,

The bird has been told and is insufferable. As for the hat: I can neither confirm nor deny it, but please fill the last gap in the week before Christmas with particular care.`,
      },
    ],
  },
  {
    subject: 'App crashes on opening, Android 16, log attached',
    labels: ['Bug'],
    unread: true,
    letters: [
      {
        from: customers.caleb,
        text: `Since last night the app closes itself about a second after the logo. Reinstalled, same. Two of my servers have it as well, both on the same phone model; everyone else is fine.

I used to do this for a living so here is the interesting bit:

    java.lang.IllegalStateException: Zone rules for America/Indiana/Knox not found
        at app.larkspur.rota.WeekView.layoutDays(WeekView.kt:214)
        at app.larkspur.rota.WeekView.onMeasure(WeekView.kt:88)
        at android.view.View.measure(View.java:28102)
        at app.larkspur.rota.HomeScreen.bind(HomeScreen.kt:57)
    Caused by: java.util.NoSuchElementException: tzdb 2026b < 2026c

We're in Knox, Indiana. Population 3,600. I think you may have broken all of us.

Caleb Whitlock
Whitlock Diner`,
        files: [
          {
            name: 'larkspur-crash.log',
            type: 'text/plain',
            content: `{{iso}} 06:58:03.120 I app.larkspur.rota: start 4.12.2 (41207) sdk=36
{{iso}} 06:58:03.355 I app.larkspur.rota: session restored person=pe_4410 site=si_77
{{iso}} 06:58:03.871 W app.larkspur.rota: tzdb 2026b, server says 2026c
{{iso}} 06:58:04.012 E app.larkspur.rota: FATAL main
{{iso}} 06:58:04.012 E app.larkspur.rota: java.lang.IllegalStateException: Zone rules for America/Indiana/Knox not found
{{iso}} 06:58:04.013 E app.larkspur.rota:     at app.larkspur.rota.WeekView.layoutDays(WeekView.kt:214)
{{iso}} 06:58:04.019 I app.larkspur.rota: report queued, offline=false
`,
          },
        ],
      },
    ],
  },
  {
    subject: 'Data processing agreement, signed copy',
    labels: ['Security'],
    letters: [
      {
        from: customers.tobias,
        text: `Dear Ms Lindqvist,

as discussed by telephone we need the data processing agreement countersigned, and a list of sub-processors with their location, before our internal revision on the {{date+9}}.

Our version is not necessary. We are happy to take yours, provided that § 7 (return and deletion) names a period.

Kind regards
Tobias Engel
Engelbräu GmbH & Co. KG`,
      },
      {
        from: mara,
        text: `Dear Mr Engel,

Attached are the countersigned agreement and the current list of sub-processors (three, all in the EU). The period in § 7 is thirty days after the end of the contract; until then you may export everything yourself.

Should your revision have questions, Anand Pillai, who looks after security here, is glad to answer them directly.`,
        files: [agreementArchive('Larkspur DPA Engelbraeu.zip', 'Engelbraeu GmbH & Co. KG')],
      },
      { from: customers.tobias, text: `Received with thanks, complete. A good weekend to you when it comes.` },
    ],
  },
  {
    subject: 'Swap log for the tribunal (please read before replying to anyone else)',
    labels: ['Urgent', 'Security', 'Waiting'],
    unread: true,
    letters: [
      {
        from: customers.desmond,
        text: `Good afternoon,

A former employee claims that she was put on fourteen closing shifts against her will between June and August. Our solicitor asks for the full history of her shifts including swaps, who proposed and who accepted, with times.

I have exported what I can see (attached), but accepted swaps only show the final state. Is there a fuller record, and can you confirm in what form you can provide it? Please do not send anything about her to anyone but me or the solicitor, whose letter I will forward.

Desmond Achebe
Blue Door Catering`,
        files: [swapLog('swap-history-june-august.csv')],
      },
    ],
  },
  {
    subject: 'Kitchen display integration, quick call?',
    labels: ['Partners'],
    letters: [
      {
        from: { name: 'Ravi Subramanian', email: 'ravi@passlight.example.com' },
        text: `Hi Joost, hi all,

Passlight makes the screens above the pass. Our customers keep asking whether the screen could show who is on grill and until when, and forty of them use Larkspur.

Read access to "who is working now, at which station" would be enough. We would build it, you would approve it, nobody pays anybody. Twenty minutes next week?

Ravi`,
      },
      {
        from: mara,
        text: `Hi Ravi,

Joost is on a train with bad reception and a great deal of enthusiasm. The answer is yes; the endpoint exists (GET /v2/now) and needs a partner token, which I can give you for a test account today.

Would {{workday+3}} at 15:00 your time suit? Inês will join, she wrote it.`,
      },
      {
        from: customers.teo,
        quotes: false,
        text: `Sorry to barge in, Ravi put me in copy: I am one of the forty. Whatever you two agree, may the screen please show "until when" in large. That is the only thing I ever shout.`,
      },
    ],
  },
  {
    subject: 'Holiday request approved and declined at the same time',
    labels: ['Bug'],
    letters: [
      {
        from: customers.farid,
        text: `Hi, Yasmin asked for the 20th to the 27th. I declined it because of the wedding on the 24th. She got "approved" by mail and "declined" in the app. She has bought the flights. The app was right, the mail was not. What now?`,
      },
      {
        from: tomasz,
        text: `Hi Farid,

I have looked at it with Inês. Two managers answered within the same second: you declined on the phone, and Leila approved on the office computer. The app keeps the last answer, the mail keeps the first. From {{workday+1}} the second manager gets "already answered" instead.

That does not solve the flights. If Yasmin's fare cannot be changed I would like to hear of it; this one was our mistake.`,
      },
      {
        from: customers.farid,
        text: `Decent of you. No need, her cousin is covering the wedding in exchange for New Year. Everyone is happy except me, I now have the cousin.`,
      },
    ],
  },
  {
    subject: 'Colours on the rota for people who do not see colours',
    labels: ['Feature request'],
    unread: true,
    letters: [
      {
        from: customers.ossian,
        text: `Hi Larkspur people,

I'm red-green colour-blind and so is my head chef, which is statistically rude. Kitchen is green, front of house is red, and on the month view they're the same brown. We keep turning up for each other's briefings.

Patterns would do. Or a letter in the corner. Or let me pick the colours, I know which ones I can tell apart.

Ossian`,
      },
    ],
  },
  {
    subject: 'Charity kitchen discount',
    labels: ['Billing'],
    letters: [
      {
        from: customers.plain2,
        text: `Good day,

St Margaret's Refectory serves about 120 lunches a day to whoever comes. We have two paid cooks and thirty-two volunteers, and the volunteers are counted as seats.

Someone at the food bank network said that you have an arrangement for kitchens like ours. If so, what would you need from us? We have a charity number and a rather good lentil soup.

The Office
St Margaret's Refectory`,
      },
    ],
  },
  {
    subject: 'Re-inviting someone who left angrily',
    letters: [
      {
        from: customers.roisin,
        text: `Hiya. Conor left in August with some ceremony and deleted his account. He is back (don't ask). When I invite him it says "this person has asked not to be contacted". Fair. But now he has asked to be contacted. How does he un-ask?`,
      },
      {
        from: tomasz,
        text: `Hi Róisín,

He un-asks himself: there is a link at the bottom of the last mail he had from us, "I have changed my mind". If he has deleted that too, he can write to us from the same address and we lift it.

I am not asking. But welcome back, Conor.`,
      },
      { from: customers.roisin, text: `He has found the link. He says he'd never doubted you. Pure liar.` },
    ],
  },
  {
    subject: 'Break rules for under-18s',
    labels: ['Feature request', 'Waiting'],
    letters: [
      {
        from: customers.clem,
        text: `Hello,

Nine of our Saturday staff are under 18, so thirty minutes after four and a half hours, not twenty after six. At the moment I keep that in my head and in a note on the noticeboard.

Could a person have their own break rule? Or could you take it from the date of birth? I'd rather not be told by an inspector that my head is not a system of record.

Clementine Ashworth`,
      },
      {
        from: mara,
        text: `Hello Clementine,

Both, in that order. A person's own break rule is in 4.13, which is with beta testers now; taking it from the date of birth needs the rules for eleven countries and comes after.

Would you like 4.13 on one of your sites? Mill Lane has the most under-18s, if I read the rota correctly.`,
      },
      {
        from: customers.clem,
        text: `Mill Lane, yes please. The manager is Hattie and she is expecting to hear from you.`,
      },
    ],
  },
  {
    subject: 'Interview for the support job: thank you, and a question',
    letters: [
      {
        from: { name: 'Florian Kessler', email: 'florian.kessler@example.net' },
        text: `Dear Mara, dear Tomasz,

Thank you for the conversation. I walked home thinking about the question I answered badly ("a customer is right and it cannot be fixed"). What I wish I had said: tell them so in the first line, tell them what I would do in their place in the second, and then ask to be allowed to write again when it changes.

My question: does the person who answers also get to sit with the engineers, or is there a ticket between them?

Florian`,
      },
      {
        from: mara,
        text: `Dear Florian,

That is a better answer than ours. There is no ticket between; there is a sofa.

You will hear from Joost before the week is out.`,
      },
    ],
  },
  {
    subject: 'Is the outage over? Status page says yes, my tablet says no',
    labels: ['Urgent', 'Bug'],
    letters: [
      {
        from: customers.dermot,
        text: `Status page: all green since 11:20. Tablet at Salt & Sorrel: "Connecting…" with the little dots. It has been connecting through most of lunch.

People are writing their times on a napkin. It is a good napkin but it won't hold everyone.

Dermot`,
      },
      {
        from: tomasz,
        hoursLater: 0.2,
        text: `Dermot, the tablet is waiting politely for longer and longer after each failure, and has reached half an hour. Pull the page down once to make it try now.

Times from the napkin can be entered under Today, "Add missed clock-ins", all in one go. I am on it for the next hour if anything looks odd.`,
      },
      {
        from: customers.dermot,
        hoursLater: 0.3,
        text: `Pulled. It's back. Napkin is going in the frame beside the licence. Thanks.`,
      },
    ],
  },
  {
    subject: 'Calendar feed shows shifts for my ex-colleague',
    labels: ['Security', 'Bug'],
    letters: [
      {
        from: customers.solveig,
        text: `Hei,

When I subscribe to my calendar link, I see my own shifts and also the shifts of Magnus, who left in the summer and whose phone number I was given. I think the link belonged to the number and not to the person?

It is not dramatic, we like Magnus. But somebody else may have a different kind of Magnus.

Hilsen
Solveig`,
      },
    ],
  },
  {
    subject: 'Re: Your question about tips and the service charge',
    labels: ['Billing', 'Feedback'],
    letters: [
      {
        from: customers.nkechi,
        subject: 'Re: Your question about tips and the service charge',
        text: `Hi Priya,

You asked how we share tips. By hours, but with weights: kitchen 1.0, floor 1.0, pot-wash 1.1 because pot-wash is hell. Apprentices the same as everyone, that was voted on.

We close the week on Sunday night and pay out in cash on Tuesday. The only thing I really miss is a printed slip per person; I write them by hand, 24 of them, while watching television.

If you build it, please call it pot-wash and not "utility".

Nkechi`,
      },
      {
        from: priya,
        text: `Hi Nkechi,

This is the most useful answer that I have had, and I have had sixty. Weights by role and slips to print are both on the list now, and it says pot-wash in the specification, underlined.

May we show you a drawing of it before we build?`,
      },
      { from: customers.nkechi, text: `Any Sunday night. Television will be on.` },
    ],
  },
  {
    subject: 'Reminder texts at 4 am',
    labels: ['Feedback', 'Bug'],
    unread: true,
    letters: [
      {
        from: customers.saoirse,
        text: `Who at Larkspur decided that "12 hours before your shift" is a good time when the shift is at four in the afternoon.

My whole team was woken at 4 am to be told that they start at 4 pm. I have had words from all of them. Some of the words were new to me.

Can it please not text between 9 at night and 8 in the morning. Ever. For any reason. Fire excepted.

Saoirse
The Salted Pig`,
      },
    ],
  },
  {
    subject: 'Two-factor on the shared tablet',
    labels: ['Security'],
    letters: [
      {
        from: customers.anouk,
        text: `Hello, we switched on two-factor for managers. Now when the duty manager approves a swap on the tablet it asks for a code from a phone that, by our own rules, is in a locker.

Is there a middle way?`,
      },
      {
        from: mara,
        text: `Hello Anouk,

There is: a paired tablet can count as the second factor for approvals made on it, as long as it stands on your own network. Settings, Security, "This tablet is something we have". Anything beyond approvals (wages, removing people, exports) still asks for the phone.`,
      },
      { from: customers.anouk, text: `"Something we have". Lovely. Works, thank you.` },
    ],
  },
  {
    subject: 'Launch plan for 4.13: please read before {{workday+1}}',
    labels: ['Waiting'],
    unread: true,
    letters: [
      {
        from: staff.joost,
        to: [{ name: 'Larkspur Support', email: 'support@larkspur.example' }],
        cc: [staff.ines, staff.anand, staff.aiko],
        text: `Hi all,

Plan for 4.13, to be torn apart:

- {{workday+2}}: to the forty beta sites, support texts ready in English, German, French, Polish
- {{workday+5}}: to a tenth of the rest, picked by site number, not by plan
- {{workday+8}}: everybody, unless one of the three numbers below moves

The numbers: missed clock-ins per thousand shifts (now 2.1), swaps that end in a support mail (now 0.6 %), and crash-free tablets (now 99.7 %).

Mara, Tomasz: you have a veto, as always, and you need not explain it.

Joost`,
      },
    ],
  },
  {
    subject: 'Screens for shift questions, second round',
    labels: ['Feature request'],
    letters: [
      {
        from: staff.aiko,
        text: `Hi Mara,

Second round after your notes and Ewan's "brrr". Numbers get a number pad, nothing else. The whole question fits on the screen without scrolling at the largest font, and the button is where a thumb in a glove is.

What I am not sure about: does "skip" stand beside "done", or below it in small? If it's beside, people will skip. If it's small, people will hate us.

Picture below.`,
        html: `<div dir="auto"><p>Hi Mara,</p><p>Second round after your notes and Ewan’s “brrr”. Numbers get a number pad, nothing else. The whole question fits on the screen without scrolling at the largest font, and the button is where a thumb in a glove is.</p><p><img src="cid:shift-questions-v2" alt="Draft of the shift questions screen" width="360" height="240" style="border-radius:6px"></p><p>What I am not sure about: does “skip” stand <em>beside</em> “done”, or below it in small? If it’s beside, people will skip. If it’s small, people will hate us.</p><p>Aiko</p></div>`,
        files: [questionScreen('shift-questions-v2')],
      },
      {
        from: mara,
        text: `Below, but not small. And call it "later": then it is a promise and not a refusal, and the tablet can ask again at the end of the shift.`,
      },
      { from: staff.aiko, text: `"Later". Oh that is good. Done.` },
    ],
  },
]
