/** The pages as an installed app. */
export const app = {
  offline: {
    title: 'No connection',
    explanation:
      'This device does not reach the server. Your timelines, notifications and messages are kept there and not on this device: there is nothing to read until the connection is back.',
    drafts: 'Texts that you have begun to write stay in this browser.',
    again: 'Try again',
  },
  push: {
    title: 'Messages on this device',
    introduction:
      'This browser can tell you what happens while no page is open. The text goes through a service of the browser’s maker, encrypted so that only this browser can read it.',
    missing:
      'This browser cannot do that here. On iPhones and iPads, add these pages to the home screen first and open them from there; elsewhere it takes scripts, a secure connection, and no private window.',
    refused:
      'This browser does not let these pages show messages, or has no service that brings them. Its own settings decide that.',
    isOn: 'This browser is told what happens.',
    isOff: 'This browser is told nothing yet.',
    about: 'What it tells you',
    whose: 'About whom',
    policies: {
      all: 'Everybody',
      followed: 'People whom you follow',
      follower: 'People who follow you',
      none: 'Nobody: nothing is told at the moment',
    },
    alerts: {
      mention: 'Somebody mentions you, or writes to you',
      quote: 'Somebody quotes a post of yours',
      status: 'Somebody whose posts you want to hear of posts',
      reblog: 'Somebody boosts a post of yours',
      favourite: 'Somebody favourites a post of yours',
      follow: 'Somebody follows you',
      follow_request: 'Somebody asks to follow you',
      poll: 'A poll that you made or voted in has ended',
      update: 'A post that you boosted or voted on was edited',
      quoted_update: 'A post that you quoted was edited',
      added_to_collection: 'Somebody puts you into a collection',
      collection_update: 'A collection that you are in was edited',
      severed_relationships: 'Follows are lost because a server was hidden',
      moderation_warning: 'The moderators decide something about your account',
      'admin.sign_up': 'Somebody signs up',
      'admin.report': 'Somebody is reported',
    },
    turnOn: 'Tell me in this browser',
    save: 'Save',
    turnOff: 'Tell me nothing more',
    until: 'It ends when you sign out here.',
    done: {
      on: 'This browser tells you from now on.',
      saved: 'Your choice is kept.',
      off: 'This browser tells you nothing more.',
    },
  },
} as const;
