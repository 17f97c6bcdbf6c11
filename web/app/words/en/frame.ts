/** What is around every view. */
export const frame = {
  product: 'Vendor',
  skip: 'Go to the content',
  nav: {
    label: 'Main',
    sites: 'Websites',
    backends: 'Backends',
    settings: 'Settings',
    signOut: 'Sign out',
    account: 'Account',
    keys: 'API keys and tokens',
    projects: 'Projects and members',
    alerts: (count: number, shown: string) =>
      count === 0 ? 'Alerts: nothing fires' : `Alerts: ${shown} ${count === 1 ? 'fires' : 'fire'}`,
    agent: 'Let an agent show views',
    shortcuts: 'Keyboard shortcuts',
    language: 'Language',
    theme: 'Colours',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  },
  loading: 'Loading …',
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save',
  search: 'Search',
  more: 'Show more',
  details: 'Details',
  failure: {
    offline: 'There is no connection to the service. It is tried again by itself.',
    limited: (seconds: number) => `Too many requests. It goes on by itself in ${seconds} s.`,
    unavailable: 'The service can’t answer at the moment. It is tried again by itself.',
    notFound: 'This doesn’t exist, or you can’t see it.',
    forbidden: 'Your role doesn’t allow this.',
    /** What the service says in English, by its own sentences. */
    sentences: {
      'The project already has a channel with this address.':
        'The project already has a channel with this address.',
      'A project has at most 20 channels. Delete one first.':
        'A project has at most 20 channels. Delete one first.',
      'The channel is paused. Let it go on first.': 'The channel is paused. Resume it first.',
      'A site has at most 20 reports by mail, and a project at most 20 channels. Delete one first.':
        'A website has at most 20 reports by mail, and a project at most 20 channels. Delete one first.',
      'This is not your password.': 'This is not your password. Type the one that you sign in with.',
      'This code is wrong or has expired.':
        'This code is wrong or over. Type the one that the app shows now; the clock of the device must be right.',
      'The answer took too long. Nothing was changed. If it takes too long once more, ask for a shorter range. Wait 2 seconds before the next try.':
        'The answer took too long. Choose a shorter period, or try again.',
      'There is a second factor already.': 'There is a second factor already. Load the page again.',
      'A project must have an owner. Make somebody else an owner first, or delete the project.':
        'A project needs an owner. Make somebody else an owner first.',
      'A project must have an environment. Make another one first.':
        'A project needs an environment. Make another one first.',
      'The project already has an environment with this name.': 'This name is taken. Choose another one.',
      'This service sends no mail. Ask whoever runs it.':
        'This service sends no mail. Leave the address empty and pass the link on yourself.',
      'Your e-mail address is confirmed already.':
        'Your e-mail address is confirmed already. Load the page again.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Confirm your e-mail address first: open the link that was mailed to you.',
      'You are the only owner of a project. Make somebody else an owner of it, or delete it first.':
        'You are the only owner of a project. Give it another owner, or delete it first.',
      'Only owners of this project may do this.': 'Only owners of this project may do this.',
    } as Readonly<Record<string, string>>,
    rules: 'What was entered breaks a rule.',
    /** Rules of `details` that a form can't check before it is sent. */
    details: {
      'must begin with https://': 'It must begin with https://.',
      'must have no user name and no password': 'It must have no user name and no password.',
      'must have the port 443, or one from 1024': 'Its port must be 443, or 1024 or higher.',
      'must be at a public host': 'Its host must be public, not of a private network.',
      'must be an address like https://example.com/hooks': 'Enter an address like https://example.com/hooks.',
      'must be an e-mail address': 'Enter an e-mail address.',
      'must be in the future': 'The last day is over already. Choose a later one.',
    } as Readonly<Record<string, string>>,
    other: 'Something went wrong.',
    request: (id: string) => `Request ${id}`,
    signedOut: 'Your session has ended.',
    signIn: 'Sign in again',
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or what it named is gone.',
    home: 'To your websites',
  },
};
